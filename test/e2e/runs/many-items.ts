/*
 * Five workflows with 200 items each, of the nodes that people put around ours: n8n's own Split Out,
 * Merge, Loop Over Items, Execute Sub-workflow, If, Aggregate and Compression.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Credential, Execution, NewWorkflow } from '../support/n8n-api.ts';
import { ownNode } from '../support/workflows.ts';

type Node = Readonly<Record<string, unknown>> & { readonly name: string };

/** What an output leads to: the name of a node, and its input if that is not the first. */
type Links = Readonly<Record<string, readonly (readonly (string | readonly [string, number])[])[]>>;

export const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
export const padded = (n: number) => String(n).padStart(3, '0');

/** Every tenth names something that is not there, or cannot be used. */
export const isGood = (n: number) => n % 10 !== 0;
export const good = numbers.filter(isGood);
export const bad = numbers.filter((n) => !isGood(n));

const rows = numbers.map((n) => ({
  n,
  email: isGood(n) ? `lead-${padded(n)}@example.com` : `nobody-${padded(n)}`,
  screen: isGood(n) ? `scr_berlin_000${(n % 2) + 1}` : `scr_missing_${padded(n)}`,
}));

function builtIn(name: string, type: string, typeVersion: number, parameters: object = {}): Node {
  return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

/** "Rows" has the 200 items. */
const start = [
  builtIn('Start', 'manualTrigger', 1),
  builtIn('List', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} }),
  builtIn('Rows', 'splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
];
const startLinks: Links = { Start: [['List']], List: [['Rows']] };

/** Which row an item comes from, by n8n's links between items. */
const row = (name = 'Row') =>
  builtIn(name, 'set', 3.4, {
    assignments: {
      assignments: [
        { id: 'n', name: 'row', type: 'number', value: "={{ $('Rows').item.json.n }}" },
      ],
    },
    includeOtherFields: true,
    options: {},
  });

function workflow(name: string, nodes: readonly Node[], links: Links, begin = true): NewWorkflow {
  const all = begin ? [...start, ...nodes] : nodes;
  const connections = Object.entries(begin ? { ...startLinks, ...links } : links).map(
    ([from, outputs]) => {
      const main = outputs.map((output) =>
        output.map((to) => {
          const [node, index] = typeof to === 'string' ? [to, 0] : to;
          return { node, type: 'main', index };
        }),
      );
      return [from, { main }];
    },
  );
  return {
    name,
    settings: { executionOrder: 'v1' },
    nodes: all.map((node, index) => ({
      id: node.name,
      typeVersion: 1,
      position: [index * 220, 0],
      ...node,
    })),
    connections: Object.fromEntries(connections),
  };
}

/** The workflows, for a credential with a rate limit that none of them reaches. */
export function workflowsOf(credential: Credential) {
  const own = (name: string, parameters: object, more: object = {}): Node => ({
    ...ownNode(name, 'screenAdvertising', credential, { authentication: 'apiKey', ...parameters }),
    ...more,
    name,
  });
  const getScreen = (more?: object) =>
    own(
      'Get Screen',
      {
        ...{ resource: 'screen', operation: 'get' },
        screenId: { __rl: true, mode: 'id', value: '={{ $json.screen }}' },
      },
      more,
    );
  const createCoupon = (options: object, more?: object) =>
    own(
      'Create Coupon',
      {
        ...{ resource: 'coupon', operation: 'create' },
        ...{ discount_type: 'percent', discount_value: 10, lead_email: '={{ $json.email }}' },
        additionalFields: { code: "={{ 'ROW-' + $json.n }}" },
        options,
      },
      more,
    );
  const createLink = (options: object) =>
    own('Create Landing Link', {
      ...{ resource: 'landingLink', operation: 'create', specifyFields: 'fields' },
      fields: {
        field: [
          { name: 'utm_campaign', value: 'spring' },
          { name: 'utm_content', value: '=row{{ $json.n }}' },
        ],
      },
      options,
    });
  return {
    /** Success and error output meet again in a Merge that appends. */
    errors: workflow(
      'Errors',
      [
        createCoupon({}, { onError: 'continueErrorOutput' }),
        builtIn('Merge', 'merge', 3.2, { mode: 'append' }),
        row(),
      ],
      {
        Rows: [['Create Coupon']],
        'Create Coupon': [['Merge'], [['Merge', 1]]],
        Merge: [['Row']],
      },
    ),
    /** Failed items stay in their place, until If sends them elsewhere. */
    branches: workflow(
      'Branches',
      [
        getScreen({ onError: 'continueRegularOutput' }),
        builtIn('Is There', 'if', 2.2, {
          conditions: {
            options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
            combinator: 'and',
            conditions: [
              {
                id: 'c',
                leftValue: '={{ $json.error }}',
                rightValue: '',
                operator: { type: 'string', operation: 'notExists', singleValue: true },
              },
            ],
          },
          options: {},
        }),
        row('Found'),
        row('Lost'),
      ],
      { Rows: [['Get Screen']], 'Get Screen': [['Is There']], 'Is There': [['Found'], ['Lost']] },
    ),
    /** A file per item in one archive, which is unpacked again. */
    archive: workflow(
      'Archive',
      [
        builtIn('Loop', 'splitInBatches', 3, { batchSize: 60, options: {} }),
        createLink({ qr_code: 'png' }),
        row(),
        builtIn('All', 'aggregate', 1, {
          aggregate: 'aggregateAllItemData',
          options: { includeBinaries: true },
        }),
        builtIn('Zip', 'compression', 1.1, {
          operation: 'compress',
          binaryPropertyName: "={{ Object.keys($binary).join(',') }}",
          fileName: 'links.zip',
          binaryPropertyOutput: 'data',
        }),
        builtIn('Unzip', 'compression', 1.1, {
          operation: 'decompress',
          binaryPropertyName: 'data',
          outputPrefix: 'file_',
        }),
      ],
      {
        Rows: [['Loop']],
        Loop: [['Row', 'All'], ['Create Landing Link']],
        'Create Landing Link': [['Loop']],
        All: [['Zip']],
        Zip: [['Unzip']],
      },
    ),
    /** Two files of each item, one from each branch. */
    merge: workflow(
      'Merge',
      [
        createCoupon(
          { qr_code: 'svg', binaryPropertyName: 'coupon' },
          { onError: 'continueRegularOutput' },
        ),
        createLink({ qr_code: 'svg', binaryPropertyName: 'link' }),
        builtIn('Merge', 'merge', 3.2, { mode: 'combine', combineBy: 'combineByPosition' }),
        row(),
      ],
      {
        Rows: [['Create Coupon', 'Create Landing Link']],
        'Create Coupon': [['Merge']],
        'Create Landing Link': [[['Merge', 1]]],
        Merge: [['Row']],
      },
    ),
    /** A workflow that another one calls, once with all items. */
    called: workflow(
      'Called',
      [
        builtIn('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
        getScreen({ onError: 'continueRegularOutput' }),
      ],
      { Called: [['Get Screen']] },
      false,
    ),
    calling: (called: { readonly id: string }) =>
      workflow(
        'Calling',
        [
          builtIn('Call', 'executeWorkflow', 1.2, {
            workflowId: { __rl: true, mode: 'id', value: called.id },
            workflowInputs: { mappingMode: 'defineBelow', value: {}, schema: [] },
            mode: 'once',
            options: { waitForSubWorkflow: true },
          }),
          row(),
        ],
        { Rows: [['Call']], Call: [['Row']] },
      ),
  };
}

/** The items of each run of a node, at one of its outputs. */
export function runsOf({ data }: Execution, node: string, output = 0): INodeExecutionData[][] {
  const runs = data?.resultData?.runData?.[node] ?? [];
  return runs.map((run) => run.data?.main?.[output] ?? []);
}

export const itemsOf = (execution: Execution, node: string, output?: number) =>
  runsOf(execution, node, output).flat();

/** The value of a field of each item. */
export const column = (items: readonly INodeExecutionData[], field: string) =>
  items.map(({ json }) => (json as IDataObject)[field]);

/** The names of each item's files, by their field. */
export const filesOf = (items: readonly INodeExecutionData[]) =>
  items.map(({ binary = {} }) =>
    Object.fromEntries(Object.entries(binary).map(([field, { fileName }]) => [field, fileName])),
  );
