import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { coreNodes } from './core-nodes.ts';
import { startType, type WorkflowResult } from './engine.ts';
import type { EngineNode } from './n8n.ts';
import { useWorld } from './world.ts';

/*
 * Several nodes with 200 items: which item each output comes from, in which order, how many there
 * are, and what their files are called. The end-to-end tests have them between n8n's own Merge, Loop
 * Over Items and others.
 */

const world = useWorld({ clock: 'frozen' });
beforeAll(() => {
  world.engine.coreNodes = coreNodes;
});

const numbers = Array.from({ length: 200 }, (_, nth) => nth);
/** Every tenth names a record that is not there. */
const rows = numbers.map((nth) => ({
  nth,
  screen: nth % 10 === 9 ? `scr_missing_${nth}` : `scr_berlin_000${(nth % 2) + 1}`,
}));
const start: EngineNode = { name: 'Start', type: startType, parameters: {} };
const own = (name: string, parameters: INodeParameters, more: object = {}): EngineNode => ({
  ...{ name, type: 'screenAdvertising', ...more },
  parameters: { authentication: 'apiKey', ...parameters },
});
const getScreen = (more: object = {}) =>
  own(
    'Get Screen',
    {
      ...{ resource: 'screen', operation: 'get' },
      screenId: { __rl: true, mode: 'id', value: '={{ $json.screen }}' },
    },
    more,
  );
const createLink = own('Create Landing Link', {
  resource: 'landingLink',
  operation: 'create',
  specifyFields: 'json',
  fieldsJson: '={{ { utm_campaign: "spring", utm_content: "row" + $("Start").item.json.nth } }}',
  options: { qr_code: 'svg' },
});
/** What it comes from, by n8n's links between items. */
const summary = (name = 'Row'): EngineNode => ({
  name,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  parameters: {
    assignments: {
      assignments: ['nth', 'screen'].map((field) => ({
        id: field,
        name: field,
        value: `={{ $("Start").item.json.${field} }}`,
        type: field === 'nth' ? 'number' : 'string',
      })),
    },
    includeOtherFields: true,
    options: {},
  },
});
const to = (...names: string[]) => names.map((node) => ({ node, type: 'main', index: 0 }) as const);
const nths = (items: INodeExecutionData[]) => items.map(({ json }) => json.nth);
const there = numbers.filter((nth) => nth % 10 !== 9);
const missing = numbers.filter((nth) => nth % 10 === 9);

async function run(nodes: EngineNode[], connections?: object): Promise<WorkflowResult> {
  const given = { items: rows, ...(connections && { connections: connections as never }) };
  const result = await world.engine.runWorkflow(nodes, given);
  expect(result.error).toBeUndefined();
  return result;
}

describe('200 items', () => {
  it('of two nodes in a row keep their order, their links and a file each', async () => {
    const screens = { ...getScreen({ onError: 'continueRegularOutput' }) };
    const result = await run([start, screens, createLink]);
    const items = result.output('Create Landing Link');
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(numbers.map((item) => ({ item })));
    for (const [nth, { json, binary = {} }] of items.entries()) {
      expect(String(json.url)).toContain(`utm_content=row${nth}`);
      expect(Object.values(binary).map(({ fileName }) => fileName)).toEqual([
        `spring-row${nth}-qr-code.svg`,
      ]);
    }
  });

  it('with errors take the second output, each once and linked to its input', async () => {
    const nodes = [
      start,
      getScreen({ onError: 'continueErrorOutput' }),
      summary('Found'),
      summary('Lost'),
    ];
    const result = await run(nodes, {
      Start: { main: [to('Get Screen')] },
      'Get Screen': { main: [to('Found'), to('Lost')] },
    });
    expect(nths(result.output('Found'))).toEqual(there);
    expect(nths(result.output('Lost'))).toEqual(missing);
    for (const { json } of result.output('Found')) expect(json.id).toBe(json.screen);
    for (const { json } of result.output('Lost')) {
      expect(json.error).toContain(`No screen has the ID "${json.screen}"`);
    }
  });
});
