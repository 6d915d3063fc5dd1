import { type OperationName, operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { shownRecordFields } from '@screen-advertising/core/forms';
import { leadCouponOperations, shownOperations } from '@screen-advertising/core/lead-coupons';
import { createSandbox } from '@screen-advertising/sandbox';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { actionNode, credentialsOf, Engine } from '../../../test/n8n/engine.ts';
import { operationKey } from '../../../test/n8n/operation-keys.ts';

/** The nodes' folder, where n8n looks for output schemas. */
export const nodesFolder = 'packages/n8n-nodes-screen-advertising/nodes';

type JsonType = 'string' | 'number' | 'boolean' | 'object';

const types: Readonly<Record<string, JsonType>> = {
  text: 'string',
  integer: 'number',
  json: 'object',
};

const event = { type: 'string', data: 'object' } as const;

/**
 * Output previews that the editor shows before a node has run, by file path below the nodes: the
 * default output of each operation, as far as it is known without the service.
 */
export async function n8nSchemas(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const sandbox = createSandbox();
  const { baseUrl } = await sandbox.listen();
  const engine = await Engine.start(credentialsOf(sandbox, baseUrl));
  const items = async (parameters: INodeParameters) =>
    (await engine.runNode({ type: 'screenAdvertising', parameters })).output(actionNode);
  const names = Object.keys(operations) as OperationName[];
  for (const name of [...names, 'screen.findAvailable'] as const) {
    const { resource, value } = operationKey(name);
    const path = `ScreenAdvertising/__schema__/v1.0.0/${resource}/${value}.json`;
    files.set(path, schema(await outputOf(items, name)));
  }
  await sandbox.close();
  files.set(
    'ScreenAdvertisingTrigger/__schema__/v1.1.0.json',
    schema({ id: 'string', ...event, timestamp: 'string' }),
  );
  files.set('ScreenAdvertisingPollingTrigger/__schema__/v1.0.0.json', schema(event));
  return files;
}

/** The catalogue's fields, or the node's output fields if the node reshapes the output. */
async function outputOf(
  items: (parameters: INodeParameters) => Promise<INodeExecutionData[]>,
  name: OperationName | 'screen.findAvailable',
): Promise<Record<string, JsonType>> {
  const all = [
    leadCouponOperations.get,
    ...shownOperations,
    compoundOperations['screen.findAvailable'],
  ];
  const operation = all.find((one) => one.name === name) ?? leadCouponOperations.get;
  const known = Object.fromEntries(
    shownRecordFields(operation).map(({ name: field, type }) => [
      field,
      types[type] ?? (type as JsonType),
    ]),
  );
  const isShaped = operation.resource.name === 'screen' && name !== 'screen.availability';
  if (!isShaped) return known;
  const { resource, value } = operationKey(name);
  const parameters = {
    ...{ authentication: 'apiKey', resource, operation: value },
    ...{ from: '2027-03-01', to: '2027-03-31' },
    screenId: { __rl: true, mode: 'id', value: 'scr_berlin_0001' },
  };
  const [item] = await items(parameters);
  return Object.fromEntries(
    Object.entries(item?.json ?? {}).map(([field, given]) => [field, typeof given as JsonType]),
  );
}

function schema(properties: Readonly<Record<string, JsonType>>): string {
  const shown = Object.fromEntries(
    Object.entries(properties).map(([name, type]) => [name, { type }]),
  );
  return `${JSON.stringify({ type: 'object', properties: shown, version: 1 }, undefined, '\t')}\n`;
}
