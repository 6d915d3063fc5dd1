import { beforeAll } from '@jest/globals';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { createTransport } from '../../packages/n8n-nodes-screen-advertising/nodes/ScreenAdvertising/shared/transport.ts';
import { describeTransport } from '../shared/transport/transport-contract.ts';
import { Engine } from './engine/engine.ts';
import { asDeclared, n8nCore } from './engine/n8n.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start();
});

describeTransport("n8n's request helper", () => {
  const workflow = engine.workflow([{ type: 'screenAdvertising', name: 'Node', parameters: {} }]);
  const [node] = Object.values(workflow.nodes);
  if (!node) throw new Error('A workflow needs a node.');
  const additionalData = engine.additionalData('manual', workflow);
  const context = new n8nCore.LoadOptionsContext(workflow, node, additionalData, '');
  const { helpers } = asDeclared<ILoadOptionsFunctions>(context);
  return { transport: createTransport(async (options) => await helpers.httpRequest(options)) };
});
