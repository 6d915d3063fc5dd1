import { beforeAll, expect, it, jest } from '@jest/globals';
import { type Transport, TransportError } from '@screen-advertising/core';
import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';
import { describeTransport } from '../shared/transport/transport-contract.ts';
import { Engine } from './engine/engine.ts';
import { asDeclared, n8nCore } from './engine/n8n.ts';

interface TransportModule {
  createTransport(send: (options: IHttpRequestOptions) => Promise<unknown>): Transport;
}

/** Its sources are CommonJS to TypeScript, as n8n wants them, which these tests are not. */
const { createTransport } = jest.requireActual<TransportModule>(
  '../../packages/n8n-nodes-screen-advertising/nodes/ScreenAdvertising/shared/transport.ts',
);

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

it('a caller who leaves while the token is fetched gets his own reason', async () => {
  const caller = new AbortController();
  const transport = createTransport(async () => {
    caller.abort('enough');
    throw new Error('n8n', { cause: new TransportError('late', { code: 'timeout', sent: 'no' }) });
  });
  const request = { method: 'GET', url: 'https://service.example/', headers: {} } as const;
  await expect(
    transport.send({ ...request, timeoutMs: 60_000, signal: caller.signal }),
  ).rejects.toBe('enough');
});
