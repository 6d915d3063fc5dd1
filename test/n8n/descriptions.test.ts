import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  INodeParameters,
  INodeProperties,
  INodePropertyOptions,
  INodeTypeDescription,
} from 'n8n-workflow';
import { formLabels, operationNames } from '../support/catalogue-names.ts';
import { Engine } from './engine.ts';
import { firstNode, n8nWorkflow, packageName } from './n8n.ts';
import { operationKey } from './operation-keys.ts';

const { NodeHelpers } = n8nWorkflow;

let engine: Engine;
let action: INodeTypeDescription;
let trigger: INodeTypeDescription;
let polling: INodeTypeDescription;

beforeAll(async () => {
  engine = await Engine.start();
  const described = [...engine.package.nodes.values()].map(({ description }) => description);
  [action, trigger, polling] = described as [typeof action, typeof trigger, typeof polling];
});

const optionsOf = (property: INodeProperties | undefined): unknown[] =>
  ((property?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value);

it('the action node offers the whole catalogue, and nothing else', () => {
  const offered = action.properties
    .filter(({ name }) => name === 'operation')
    .flatMap((property) =>
      optionsOf(property).map((value) => `${property.displayOptions?.show?.resource}.${value}`),
    );
  const all = [...operationNames, 'screen.findAvailable'].map((name) => {
    const { resource, value } = operationKey(name);
    return `${resource}.${value}`;
  });
  expect(offered.sort()).toEqual(all.sort());
});

it('the polling trigger offers every field about the availability of screens', () => {
  const { change, ...labels } = formLabels['screen.availabilityChanged'];
  const shown = polling.properties.filter(({ displayOptions }) =>
    displayOptions?.show?.['/events']?.includes('screen.availability_rises_above'),
  );
  const entries = shown.flatMap(({ type, options = [] }) =>
    type === 'collection' ? (options as INodeProperties[]) : [],
  );
  expect([...shown, ...entries].map(({ displayName }) => displayName)).toEqual(
    expect.arrayContaining(Object.values(labels)),
  );
});

it("'Maximum Redemptions' takes whole numbers that the contract allows", () => {
  const fields = action.properties.flatMap(({ type, options = [] }) =>
    type === 'collection' ? (options as INodeProperties[]) : [],
  );
  const limits = fields.find(({ name }) => name === 'max_redemptions')?.typeOptions;
  expect(limits).toEqual({ minValue: 1, maxValue: 1000, numberPrecision: 0 });
});

// n8n's editor hides every field that decides on credentials, and sets one of them by the
// credential.
it('in each node, one field decides which credential it takes, and each choice has its own', () => {
  for (const { name, credentials = [], properties } of [action, trigger, polling]) {
    const conditions = credentials.map(({ displayOptions }) => displayOptions?.show ?? {});
    const deciding = new Set(conditions.flatMap((condition) => Object.keys(condition)));
    expect([name, ...deciding]).toHaveLength(2);
    const [field = ''] = deciding;
    const choices = properties.filter((property) => property.name === field).flatMap(optionsOf);
    const credited = conditions.flatMap((condition) => condition[field] ?? []);
    expect(new Set(credited)).toEqual(new Set(choices));
  }
});

it('a change of credential or events empties no list and no collection of a trigger', () => {
  // n8n's editor does so if their conditions name the changed field without a leading slash.
  const dependent = [polling, trigger].flatMap(({ properties }) =>
    properties
      .filter(({ options }) => options)
      .flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
  );
  expect(dependent.filter((name) => !name.startsWith('/'))).toEqual([]);
});

it.each([
  [{}, 'registrationNotice', 'screenAdvertisingWebhookApi'],
  [{ delivery: 'relay' }, 'subscriptionNotice', 'screenAdvertisingRelayApi'],
])(
  'a trigger with %j shows what to register, and the credential for it',
  (parameters, notice, credential) => {
    const workflow = engine.workflow([{ type: 'screenAdvertisingTrigger', parameters }]);
    const node = firstNode(workflow);
    const isShown = (part: Parameters<typeof NodeHelpers.displayParameter>[1]) =>
      NodeHelpers.displayParameter(node.parameters, part, node, trigger);
    const shown = trigger.properties.filter(isShown).map(({ name }) => name);
    expect(shown).toEqual(['delivery', notice, 'events', 'options']);
    expect(trigger.credentials?.filter(isShown).map(({ name }) => name)).toEqual([credential]);
  },
);

describe('what the canvas shows below a node', () => {
  it.each<[type: string, parameters: INodeParameters, words: string]>([
    ['screenAdvertising', {}, 'Get many screens'],
    ['screenAdvertising', { resource: 'coupon', operation: 'create' }, 'Create coupon'],
    ['screenAdvertisingTrigger', { events: [] }, ''],
    [
      'screenAdvertisingTrigger',
      { events: ['campaign.paid', 'campaign_request.rejected'] },
      'Campaign paid, Campaign request rejected',
    ],
    [
      'screenAdvertisingTrigger',
      { events: ['campaign.paid', 'user.registered', 'coupon.redeemed'] },
      '3 events',
    ],
    [
      'screenAdvertisingPollingTrigger',
      { events: ['campaign_request.rejected'], relayEvents: ['campaign.paid'] },
      'Campaign request rejected',
    ],
    [
      'screenAdvertisingPollingTrigger',
      { authentication: 'relay', relayEvents: ['campaign.paid'] },
      'Campaign paid',
    ],
  ])('%s with %j: %s', (type, parameters, words) => {
    const workflow = engine.workflow([{ type, parameters }]);
    const node = firstNode(workflow);
    const expression = engine.package.nodes.get(type)?.description.subtitle ?? '';
    expect(workflow.expression.getSimpleParameterValue(node, expression, 'internal', {})).toBe(
      words,
    );
  });
});

it('the codex file of each node names its version', async () => {
  const folder = path.join(import.meta.dirname, '../../packages', packageName, 'nodes');
  const versions = [action, trigger, polling].map(async ({ name, version }) => {
    const own = `S${name.slice(1)}`;
    const codex = await readFile(path.join(folder, own, `${own}.node.json`), 'utf8');
    return [name, (JSON.parse(codex) as { nodeVersion: string }).nodeVersion, version];
  });
  expect(await Promise.all(versions)).toEqual([
    ['screenAdvertising', '1.0', 1],
    ['screenAdvertisingTrigger', '1.1', 1.1],
    ['screenAdvertisingPollingTrigger', '1.0', 1],
  ]);
});

// n8n's editor hides Authentication, and n8n explains no groups of fields.
it('each field of a trigger is explained beside its label', () => {
  const unexplained = [trigger, polling].map(({ properties }) =>
    properties
      .filter(({ type, description }) => type !== 'notice' && !description)
      .map(({ displayName }) => displayName),
  );
  expect(unexplained).toEqual([['Options'], ['Authentication', 'Filters', 'Options']]);
});

describe('the polling trigger', () => {
  it('has events that n8n lists as sentences, such as "On campaign request rejected"', () => {
    const events = polling.properties.find(({ name }) => name === 'events');
    const names = ((events?.options ?? []) as INodePropertyOptions[]).map(({ name }) => name);
    expect(names).toEqual([
      'Campaign Request Abandoned',
      'Campaign Request Converted',
      'Campaign Request No Inventory',
      'Campaign Request Rejected',
      'New Campaign Request',
      'New Screen',
      'Screen Availability Falls Below',
      'Screen Availability Rises Above',
    ]);
  });

  it("says why it asks for other events when n8n chose a relay's credential", () => {
    const notice = polling.properties.find(({ name }) => name === 'relayNotice');
    expect(notice?.displayOptions).toEqual({ show: { '/authentication': ['relay'] } });
    expect(notice?.displayName).toBe(
      'This credential is of a relay: choose which of its stored events start the workflow. For new statuses, new screens and availability, choose the credential of an API key or of client credentials above.',
    );
  });

  it('says what it does once its workflow is published', () => {
    expect(polling.activationMessage).toBe(
      'Your workflow is published. It has noted what exists, and starts with the first change that a later poll finds. Unpublished for up to ten minutes, it has missed nothing.',
    );
  });
});

const nodeWith = (parameters: INodeParameters) =>
  firstNode(engine.workflow([{ type: 'screenAdvertising', parameters }]));

/** The fields that a new node shows for an operation, as n8n's editor decides it. */
function shown(parameters: INodeParameters): INodeProperties[] {
  const node = nodeWith(parameters);
  const { properties } = action;
  return properties.filter((one) =>
    NodeHelpers.displayParameter(node.parameters, one, node, action),
  );
}

/** The entries that a collection offers to add, beside those that the user has added. */
function offered(collection: string, parameters: INodeParameters): string[] {
  const node = nodeWith(parameters);
  const entries = (shown(parameters).find(({ name }) => name === collection)?.options ??
    []) as INodeProperties[];
  return entries
    .filter((one) =>
      NodeHelpers.displayParameterPath(node.parameters, one, collection, node, action),
    )
    .map(({ displayName }) => displayName);
}

const create = { resource: 'coupon', operation: 'create' };

it('the form of Create Coupon has eight fields before one opens anything', () => {
  expect(shown(create).map(({ displayName }) => displayName)).toEqual([
    'Authentication',
    'Resource',
    'Operation',
    'Discount Type',
    'Discount Value',
    'Lead Email',
    'Additional Fields',
    'Options',
  ]);
});

it.each([
  ['percent', { minValue: 0, maxValue: 100 }, 'e.g. 25'],
  ['amount_cents', { minValue: 0 }, 'e.g. 12.5'],
  ['free_days', { minValue: 1, numberPrecision: 0 }, 'e.g. 14'],
])('a discount of the type %s is one number, in its own unit', (type, typeOptions, placeholder) => {
  const fields = shown({ ...create, discount_type: type });
  expect(fields.filter(({ name }) => name === 'discount_value')).toEqual([
    expect.objectContaining({
      displayName: 'Discount Value',
      type: 'number',
      typeOptions,
      placeholder,
    }),
  ]);
});

it('Create Landing Link opens with the field that it needs', () => {
  const fields = shown({ resource: 'landingLink', operation: 'create' });
  expect(fields.find(({ name }) => name === 'fields')?.default).toEqual({
    field: [{ name: '', value: '' }],
  });
});

/** Options that nothing else has to open. */
const always = ['Batching', 'QR Code', 'Timeout', 'When Valid Until Is Empty'];

describe('what Create Coupon offers to add', () => {
  it('is each thing once', () => {
    expect(offered('additionalFields', create)).toEqual([
      'Code',
      'Code Prefix',
      'If the Code Exists',
      'If the Lead Had One Before',
      'Lead Metadata',
      'Maximum Redemptions',
      'Valid Until',
      'Without a Code',
    ]);
    expect(offered('options', create)).toEqual(always);
  });

  it.each([
    [
      { qr_code: 'svg' },
      [
        'Put Output File in Field',
        ...['QR Code Error Correction', 'QR Code Quiet Zone', 'QR Code Size', 'QR Code Text'],
      ],
    ],
  ])('is more with the options %j', (options, more) => {
    const entries = offered('options', { ...create, options });
    expect(entries.filter((entry) => !always.includes(entry))).toEqual(more);
  });
});

it.each(['', undefined])('n8n marks required fields that are %j', (empty) => {
  const parameters = { ...create, discount_value: empty, lead_email: empty };
  const issues = NodeHelpers.getNodeParametersIssues(
    action.properties,
    nodeWith(parameters as INodeParameters),
    action,
  );
  // n8n marks no field for a number.
  expect(issues?.parameters).toEqual({
    lead_email: ['Parameter "Lead Email" is required.'],
  });
});
