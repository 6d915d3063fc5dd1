import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { coreNodes } from './engine/core-nodes.ts';
import type { EngineNode, WorkflowResult } from './engine/engine.ts';
import { startType } from './engine/node-types.ts';
import { startWorld, type World } from './world.ts';

/*
 * Several nodes with 200 items: which item each output comes from, in which order, how many there
 * are, and what their files are called. n8n's engine runs them; Merge, Loop and the sub-workflow are
 * stand-ins that pass items on as n8n's own do.
 */

let world: World;
beforeAll(async () => {
  world = await startWorld({ clock: 'frozen' });
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

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

  it('meet those of another branch in a Merge at their own place', async () => {
    const merge = { name: 'Merge', type: 'test.merge', parameters: {} };
    const result = await run([start, getScreen({ onError: 'continueRegularOutput' }), merge], {
      Start: { main: [[...to('Get Screen'), { node: 'Merge', type: 'main', index: 1 }]] },
      'Get Screen': { main: [to('Merge')] },
    });
    const merged = result.output('Merge');
    expect(nths(merged)).toEqual(numbers);
    for (const { json } of merged) {
      if (json.error === undefined) expect(json.id).toBe(json.screen);
      else expect(String(json.error)).toContain(`"${json.screen}"`);
    }
  });

  it('in a Loop of 30 are all done, in their order', async () => {
    const loop = { name: 'Loop', type: 'test.loop', parameters: {} };
    const result = await run(
      [start, loop, getScreen({ onError: 'continueRegularOutput' }), summary()],
      {
        Start: { main: [to('Loop')] },
        Loop: { main: [to('Row'), to('Get Screen')] },
        'Get Screen': { main: [to('Loop')] },
      },
    );
    const done = result.output('Row');
    expect(
      done.map(({ json }) => json.id ?? /scr_missing_\d+/.exec(String(json.error))?.[0]),
    ).toEqual(rows.map(({ screen }) => screen));
    expect(result.run.data.resultData.runData['Get Screen']).toHaveLength(7);
  });

  it('of a sub-workflow come back in their order, with its files', async () => {
    const call = { name: 'Call', type: 'test.subWorkflow', parameters: {} };
    const result = await run([start, call, summary()]);
    const items = result.output('Row');
    expect(nths(items)).toEqual(numbers);
    for (const { json } of items) expect(String(json.url)).toContain(`utm_content=row${json.nth}`);
    const files = result.output('Call').flatMap(({ binary = {} }) => Object.values(binary));
    expect(new Set(files.map(({ fileName }) => fileName)).size).toBe(200);
  });
});

const described = (
  name: string,
  inputs: string[],
  outputs: string[],
): INodeType['description'] => ({
  ...{ displayName: name, name, group: ['transform'], version: 1, description: name },
  ...{ defaults: { name }, inputs: inputs as never, outputs: outputs as never, properties: [] },
});
/** Each with the one at the same place of the other input. */
const merge: INodeType = {
  description: described('merge', ['main', 'main'], ['main']),
  async execute() {
    const others = this.getInputData(1);
    const items = this.getInputData(0).map(({ json, binary }, item) => ({
      json: { ...others[item]?.json, ...json },
      ...(binary && { binary }),
      pairedItem: [{ item }, { item, input: 1 }],
    }));
    return [items];
  },
};
const loop: INodeType = {
  description: described('loop', ['main'], ['main', 'main']),
  async execute() {
    const kept = this.getContext('node') as {
      left?: INodeExecutionData[];
      done: INodeExecutionData[];
    };
    if (kept.left) kept.done.push(...this.getInputData());
    else Object.assign(kept, { left: [...this.getInputData()], done: [] });
    const batch = kept.left?.splice(0, 30) ?? [];
    return batch.length > 0 ? [[], batch] : [kept.done, []];
  },
};
/** Runs another workflow once with all items. */
const subWorkflow: INodeType = {
  description: described('subWorkflow', ['main'], ['main']),
  async execute() {
    const items = this.getInputData().map(({ json }) => json);
    const result = await world.engine.runWorkflow([start, createLink], { items });
    return [
      result.output('Create Landing Link').map((one, item) => ({ ...one, pairedItem: { item } })),
    ];
  },
};
for (const [type, node] of Object.entries({ merge, loop, subWorkflow })) {
  (coreNodes as Map<string, INodeType>).set(`test.${type}`, node);
}
