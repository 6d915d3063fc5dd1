import { describe, expect, it } from '@jest/globals';
import { createAppHandler } from 'zapier-platform-core';
import privateApp from 'zapier-screen-advertising';
import publicApp from 'zapier-screen-advertising/public';
import {
  compoundNames,
  formChoices,
  formLabels,
  operationNames,
  recordFieldNames,
} from '../support/catalogue-names.ts';
import {
  type Definition,
  definitionOf,
  type InputField,
  inputFieldsOf,
  type PlacedPart,
  partsOf,
  visiblePartsOf,
} from './app/definition.ts';

/** Where a person finds what Zapier offers in another way. */
const ownPlaces: Readonly<Record<string, string>> = {
  'screen.list': 'searches.find_screen',
  'screen.get': 'searches.find_screen',
  'screen.availability': 'searches.find_screen_availability',
  'coupon.get': 'searches.find_coupon',
  'user.lookup': 'searches.find_user',
  'landingLink.create': 'creates.create_landing_link',
  'campaignRequest.list': 'searches.find_campaign_request',
  'campaignRequest.get': 'searches.find_campaign_request',
  'screen.findNearby': 'searches.find_screen',
  'screen.findAvailable': 'searches.find_available_screens',
  'screen.availabilityChanged': 'triggers.screen_availability_changed',
};

function placesOf(name: string): string[] {
  const own = ownPlaces[name];
  const [resource = '', action = ''] = name.split('.');
  return own ? [own] : [`creates.${action}_${resource}`, `searches.find_${resource}`];
}

/** Zapier's own spelling of the keys of its forms. */
const keyOf = (field: string): string => field.replace('screenId', 'screen_id');

/** Zapier turns the pages itself, and the names of these fields are chosen by a person. */
const notInForms = /^(limit|cursor)$/;

const partOf = (definition: Definition, name: string): PlacedPart | undefined =>
  partsOf(definition).find(({ place }) => placesOf(name).includes(place));

const choicesOf = (field: InputField | undefined): unknown =>
  (field?.choices as { value: string }[] | undefined)?.map(({ value }) => value);

describe.each([...operationNames, ...compoundNames])('%s', (name) => {
  it('is in both variants, with all fields, choices, and known fields of its records', async () => {
    expect(partOf(await definitionOf('private'), name)).toBeDefined();
    const part = partOf(await definitionOf('public'), name);
    const fields = Object.keys(formLabels[name]).filter((field) => !notInForms.test(field));
    const offered = part ? inputFieldsOf(part) : [];
    if (name === 'landingLink.create') {
      expect(offered).toContainEqual(expect.objectContaining({ key: 'fields', dict: true }));
    }
    const found = fields.map((field) => offered.find(({ key }) => key === keyOf(field)));
    expect(found.map((field) => [field?.key, choicesOf(field)])).toEqual(
      fields.map((field) => [keyOf(field), formChoices[`${name}.${field}`]]),
    );
    const output = (part?.operation.outputFields ?? []).map(({ key }) => key.replace(/__.*/, ''));
    expect(output).toEqual(expect.arrayContaining([...recordFieldNames[name]]));
  });
});

it('the fields that only Zapier has keep their labels', async () => {
  const known = new Set(Object.values(formLabels).flatMap((labels) => Object.keys(labels)));
  const parts = partsOf(await definitionOf('private'));
  const own = parts.flatMap(inputFieldsOf).filter(({ key }) => !known.has(key));
  expect(Object.fromEntries(own.map(({ key, label }) => [key, label]))).toEqual({
    area: 'Area',
    code_prefix: 'Code Prefix',
    fields: 'Other Fields',
    if_code_exists: 'If the Code Exists',
    if_lead_had_one: 'If the Lead Had One Before',
    lead_metadata_json: 'Lead Metadata (JSON)',
    name: 'Name',
    next_days: 'Next Days',
    only_active: 'Only Active',
    qr_code: 'QR Code',
    qr_code_error_correction: 'QR Code Error Correction',
    qr_code_quiet_zone: 'QR Code Quiet Zone',
    qr_code_size: 'QR Code Size',
    qr_code_text: 'QR Code Text',
    screen_id: 'Screen',
    utm_campaign: 'UTM Campaign',
    utm_content: 'UTM Content',
    utm_source: 'UTM Source',
    utm_source_platform: 'UTM Source Platform',
    utm_term: 'UTM Term',
    when_empty: 'When a Condition Is Empty',
    without_code: 'Without a Code',
  });
  const catalogue = new Set<string>(Object.values(recordFieldNames).flat());
  const outputs = parts.flatMap(({ operation }) => operation.outputFields ?? []);
  const others = outputs.filter(({ key }) => !catalogue.has(key.replace(/__.*/, '')));
  expect(Object.fromEntries(others.map(({ key, label }) => [key, label]))).toEqual({
    change_id: 'Change ID',
    coupon_note: 'Coupon Note',
    created: 'Created',
    data__amount: 'Amount in Currency Units',
    data__amount_cents: 'Amount in Cents',
    data__campaign_id: 'Campaign ID',
    data__code: 'Code',
    data__created_at: 'Created At',
    data__email: 'Email',
    data__id: 'Campaign Request ID',
    data__industry: 'Industry',
    data__lead_email: 'Lead Email',
    data__message: 'Message',
    data__paid_at: 'Paid At',
    data__problem: 'Problem',
    data__reason: 'Reason',
    data__redeemed_at: 'Redeemed At',
    data__registered_at: 'Registered At',
    data__rejected_at: 'Rejected At',
    data__since: 'Since',
    data__status: 'Status',
    data__subscription_id: 'Subscription ID',
    data__subscription_name: 'Subscription Name',
    data__target_host: 'Target Host',
    data__user_id: 'User ID',
    discount_value_cents: 'Discount Value in Cents',
    previous_status: 'Previous Status',
    price_per_day: 'Price per Day in Currency Units',
    qr_code: 'QR Code',
    qr_code_warning: 'QR Code Warning',
    referred_by_you: 'Referred by You',
    screens_without_coordinates: 'Screens Without Coordinates',
    thumbnail: 'Thumbnail',
    total_price: 'Total Price in Currency Units',
    type: 'Type',
    unread_screen_ids: 'IDs of Unread Screens',
    unread_screens: 'Unread Screens',
  });
});

describe.each([
  ['user.registered', 'User Registered', 'Triggers when a user you referred registers.'],
  ['campaign.paid', 'Campaign Paid', 'Triggers when a campaign is paid.'],
  ['coupon.redeemed', 'Coupon Redeemed', 'Triggers when one of your coupons is redeemed.'],
  [
    'campaign_request.created',
    'Campaign Request Created',
    'Triggers when a campaign request is created.',
  ],
  [
    'campaign_request.rejected',
    'Campaign Request Rejected',
    'Triggers when a campaign request is rejected.',
  ],
])('%s', (name, title, description) => {
  const key = name.replaceAll('.', '_');
  const manualKey = `${key}_manual_setup`;
  const hook = { type: 'hook', sample: { type: name } };
  // The public variant has one trigger for one meaning, and these are in a list, too.
  const isPolled = /^campaign_request\./.test(name);

  it('has one trigger in the public variant, and one to set up by hand in the private one', async () => {
    for (const variant of ['private', 'public'] as const) {
      const { triggers } = await definitionOf(variant);
      if (variant === 'public' && isPolled) {
        expect(triggers).not.toHaveProperty(key);
        continue;
      }
      expect(triggers[key]).toMatchObject({
        display: { label: title, description },
        operation: {
          ...hook,
          performSubscribe: expect.anything(),
          performUnsubscribe: expect.anything(),
          performList: expect.anything(),
        },
      });
    }
    expect((await definitionOf('private')).triggers[manualKey]).toMatchObject({
      display: {
        label: `${title} (Manual Setup)`,
        description: description.replace(/\.$/, ', without a relay.'),
      },
      operation: hook,
    });
    expect((await definitionOf('public')).triggers).not.toHaveProperty(manualKey);
  });
});

it('the connection asks for a signing secret only where a person registers the address of a trigger', async () => {
  const fieldsOf = async (variant: 'private' | 'public') =>
    (await definitionOf(variant)).authentication.fields.map(({ key }) => key);
  expect(await fieldsOf('private')).toContain('signing_secret');
  expect(await fieldsOf('public')).not.toContain('signing_secret');
  expect(await fieldsOf('public')).toEqual(
    expect.arrayContaining(['relay_base_url', 'connector_key']),
  );
});

it('Zapier keeps each connection to the limit of the service, and searches of many requests to a few runs', async () => {
  const scope = ['auth'];
  expect(await definitionOf('public')).toMatchObject({
    throttle: { window: 60, limit: 600, scope },
    searches: {
      find_available_screens: { operation: { throttle: { window: 60, limit: 1, scope } } },
    },
    searchOrCreates: { find_coupon: { search: 'find_coupon', create: 'create_coupon' } },
    flags: { cleanInputData: false },
  });
});

const labelsOf = (part: PlacedPart) =>
  [...inputFieldsOf(part), ...(part.operation.outputFields ?? [])].map(({ key, label = '' }) => {
    return { place: `${part.place}.${key}`, key, text: label };
  });

const unitOf = (key: string): string =>
  /_(cents|pct)$/.exec(key)?.[1]?.replace('pct', 'percent') ?? '';

/** Zapier's own checks run when the app is submitted. These are for what they do not look at. */
describe.each(['private', 'public'] as const)('the %s variant', (variant) => {
  it('passes Zapier’s schema', async () => {
    // As `zapier-platform validate` prints them.
    const handle = createAppHandler({ private: privateApp, public: publicApp }[variant]);
    const { results } = await handle({ command: 'validate', calledFromCli: true });
    expect(results).toEqual([]);
  });

  it('names the unit of each amount and share, and says what cannot be undone', async () => {
    const parts = visiblePartsOf(await definitionOf(variant));
    const labels = parts.flatMap(labelsOf);
    const isWithoutUnit = ({ key, text }: (typeof labels)[number]) =>
      !text.toLowerCase().includes(unitOf(key)) && !text.endsWith('in Currency Units');
    expect(labels.filter(isWithoutUnit)).toEqual([]);
    const removing = parts.filter(({ key }) => /^(revoke|delete|remove|cancel)_/.test(key));
    expect(removing.map(({ display }) => display.description)).toEqual(
      removing.map(() => expect.stringContaining('cannot be undone')),
    );
  });
});
