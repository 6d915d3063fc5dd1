import { describe, expect, it } from '@jest/globals';
import { events, type OperationName, operations } from '@screen-advertising/core';
import { type Task, type TaskName, tasks } from '@screen-advertising/core/availability';
import { type FormField, formFields, recordFields } from '@screen-advertising/core/forms';
import { definitionOf } from './app/definition.ts';
import type { Definition, InputField, Part } from './definition-lint/definition.ts';

interface Place {
  readonly part: (definition: Definition) => Part | undefined;
  /** Fields for paging: Zapier turns the pages itself. */
  readonly turnedByZapier?: readonly string[];
  /** Fields whose names a person chooses are in this one. */
  readonly named?: string;
}

/** Where a person finds an operation or task that Zapier offers in a different form. */
const ownPlaces: Partial<Record<OperationName | TaskName, Place>> = {
  'screen.list': {
    part: ({ searches }) => searches.find_screen,
    turnedByZapier: ['limit', 'cursor'],
  },
  'screen.get': { part: ({ searches }) => searches.find_screen },
  'screen.availability': { part: ({ searches }) => searches.get_screen_availability },
  'screen.findAvailable': { part: ({ searches }) => searches.find_available_screens },
  'screen.availabilityChanged': { part: ({ triggers }) => triggers.screen_availability_changed },
  'coupon.create': { part: ({ creates }) => creates.create_coupon },
  'user.lookup': { part: ({ searches }) => searches.find_user },
  'landingLink.create': { part: ({ creates }) => creates.create_landing_link, named: 'fields' },
  'campaignRequest.list': {
    part: ({ searches }) => searches.find_campaign_request,
    turnedByZapier: ['cursor'],
  },
  'campaignRequest.get': { part: ({ searches }) => searches.find_campaign_request },
};

/** Operations offered exactly as in the catalogue: a search for a record, or a create. */
function placeOf({ name, title, resource }: Task): Place {
  const key = (label: string): string => label.toLowerCase().replaceAll(' ', '_');
  const place: Place = {
    part: ({ creates, searches }) => creates[key(title)] ?? searches[`find_${key(resource.title)}`],
  };
  return ownPlaces[name as OperationName] ?? place;
}

function inputFieldOf(part: Part | undefined, key: string): InputField | undefined {
  const fields = (part?.operation.inputFields ?? []).filter((field) => typeof field !== 'string');
  return fields.find((field) => field.key === key);
}

function choicesOf(field: InputField | FormField | undefined): unknown {
  const choices = field?.choices as { value: string }[] | undefined;
  return choices?.map(({ value }) => value);
}

const catalogue = { ...operations, ...tasks };

describe('the app offers the whole catalogue', () => {
  describe.each(Object.values(catalogue))('$name', (operation) => {
    const { part, turnedByZapier = [], named } = placeOf(operation);

    it('is in both variants', async () => {
      expect(part(await definitionOf('private'))).toBeDefined();
      expect(part(await definitionOf('public'))).toBeDefined();
    });

    it('has all fields, and all choices of each', async () => {
      const place = part(await definitionOf('public'));
      const fields = formFields(operation).filter(({ name }) => !turnedByZapier.includes(name));
      const offered = fields.map(({ name }) => [name, choicesOf(inputFieldOf(place, name))]);
      expect(offered).toEqual(fields.map((field) => [field.name, choicesOf(field)]));
      const names = named ? [named] : fields.map(({ name }) => name);
      expect(names.filter((name) => !inputFieldOf(place, name))).toEqual([]);
    });

    it('names all known fields of its records', async () => {
      const output = part(await definitionOf('public'))?.operation.outputFields ?? [];
      // A record within a record is named field by field.
      const keys = output.map(({ key }) => key.replace(/__.*/, ''));
      expect(keys).toEqual(expect.arrayContaining(recordFields(operation).map(({ name }) => name)));
    });
  });

  it('offers every status of a campaign request to the trigger of changes', async () => {
    const { triggers } = await definitionOf('public');
    const offered = inputFieldOf(triggers.campaign_request_status_changed, 'status');
    const [status] = formFields(operations['campaignRequest.list']);
    expect(choicesOf(offered)).toEqual(choicesOf(status));
  });

  describe.each(Object.values(events))('$name', ({ name, title, description }) => {
    const keyWithoutRelay = name.replaceAll('.', '_');
    const hook = { type: 'hook', sample: { type: name } };

    it.each(['private', 'public'] as const)(
      'has a trigger in the %s variant that subscribes at a relay',
      async (variant) => {
        const { triggers } = await definitionOf(variant);
        expect(triggers[`${keyWithoutRelay}_through_relay`]).toMatchObject({
          display: {
            label: title,
            description: expect.stringMatching(`^${description} Instant, if `),
          },
          operation: {
            ...hook,
            performSubscribe: expect.anything(),
            performUnsubscribe: expect.anything(),
            performList: expect.anything(),
          },
        });
      },
    );

    it('has another in the private variant only, under the key that saved Zaps refer to', async () => {
      expect((await definitionOf('private')).triggers[keyWithoutRelay]).toMatchObject({
        display: { label: `${title} (Without Relay)` },
        operation: hook,
      });
      expect((await definitionOf('public')).triggers).not.toHaveProperty(keyWithoutRelay);
    });
  });

  it.each([
    ['campaign_request_created_through_relay', 'New Campaign Request', 'new_campaign_request'],
    [
      'campaign_request_rejected_through_relay',
      'Campaign Request Status Changed',
      'campaign_request_status_changed',
    ],
  ])('says when to choose %s, and when %s', async (instant, label, polling) => {
    const { triggers } = await definitionOf('public');
    expect(triggers[instant]?.display.description).toContain(`choose ${label}.`);
    expect(triggers[polling]?.display.label).toBe(label);
    expect(triggers[polling]?.display.description).toContain(
      `${triggers[instant]?.display.label} is instant.`,
    );
  });

  it('asks for a signing secret only where a person registers the address of a trigger', async () => {
    const fieldsOf = async (variant: 'private' | 'public') =>
      (await definitionOf(variant)).authentication.fields.map(({ key }) => key);
    expect(await fieldsOf('private')).toContain('signing_secret');
    expect(await fieldsOf('public')).not.toContain('signing_secret');
    expect(await fieldsOf('public')).toEqual(
      expect.arrayContaining(['relay_base_url', 'connector_key']),
    );
  });

  it('declares the limit of the service to Zapier, for each connection', async () => {
    const definition = await definitionOf('public');
    expect(definition).toMatchObject({ throttle: { window: 60, limit: 600, scope: ['auth'] } });
  });

  it('limits a search of many requests to a few runs a minute', async () => {
    expect(await definitionOf('public')).toMatchObject({
      searches: {
        find_available_screens: {
          operation: { throttle: { window: 60, limit: 5, scope: ['auth'] } },
        },
      },
    });
  });

  it('finds or creates a coupon by its code', async () => {
    expect(await definitionOf('public')).toMatchObject({
      searchOrCreates: { find_coupon: { search: 'find_coupon', create: 'create_coupon' } },
    });
  });
});
