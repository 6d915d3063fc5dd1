import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INode, INodeParameters } from 'n8n-workflow';
import { Engine } from './engine/engine.ts';
import { n8nWorkflow } from './engine/n8n.ts';
import { event, useWebhooks } from './webhook-bench.ts';

const { NodeHelpers } = n8nWorkflow;
const bench = useWebhooks();
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start();
});

/** What the editor shows of the node: its parameters with their defaults, and its credentials. */
function shown(parameters: INodeParameters = {}) {
  const workflow = engine.workflow([{ type: 'screenAdvertisingTrigger', parameters }]);
  const [node] = Object.values(workflow.nodes) as [INode];
  const { description } = workflow.nodeTypes.getByNameAndVersion(node.type);
  const isShown = (part: Parameters<typeof NodeHelpers.displayParameter>[1]) =>
    NodeHelpers.displayParameter(node.parameters, part, node, description);
  return {
    delivery: node.parameters.delivery,
    labels: description.properties.filter(isShown).map(({ name }) => name),
    credentials: (description.credentials ?? []).filter(isShown).map(({ name }) => name),
  };
}

const relay = {
  delivery: 'relay',
  labels: ['delivery', 'subscriptionNotice', 'events', 'options'],
  credentials: ['screenAdvertisingRelayApi'],
};
const direct = {
  delivery: 'direct',
  labels: ['delivery', 'registrationNotice', 'events', 'options'],
  credentials: ['screenAdvertisingWebhookApi'],
};

describe('the editor shows', () => {
  it('a new trigger as one that receives directly, until that is changed', () => {
    expect(shown()).toEqual(direct);
    expect(shown({ delivery: 'relay' })).toEqual(relay);
  });
});

describe('a trigger that receives directly', () => {
  it('does not trust a stranger who poses as the relay', async () => {
    const headers = { 'webhook-id': 'evt_other', 'x-relay-test': 'sample' };
    for (let time = 0; time < 2; time += 1) await bench.deliver({ headers });
    expect(bench.server.executions.map(([item]) => item?.json.id)).toEqual([event.id]);
  });
});
