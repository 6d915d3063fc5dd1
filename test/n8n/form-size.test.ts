import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { Engine } from './engine.ts';
import { firstNode, n8nWorkflow } from './n8n.ts';

const { NodeHelpers } = n8nWorkflow;

let engine: Engine;
let action: INodeTypeDescription;

beforeAll(async () => {
  engine = await Engine.start();
  const node = engine.package.nodes.get('screenAdvertising');
  if (!node) throw new Error('The package has no action node.');
  action = node.description;
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
