import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, expect, it, jest } from '@jest/globals';
import { type Transport, TransportError } from '@screen-advertising/core';
import type {
  ICredentialTestFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
} from 'n8n-workflow';
import { describeTransport } from '../shared/transport/transport-contract.ts';
import { Engine } from './engine.ts';
import { asDeclared, firstNode, n8nCore } from './n8n.ts';

interface TransportModule {
  createTransport(send: (options: IHttpRequestOptions) => Promise<unknown>): Transport;
  credentialTestSender(
    context: ICredentialTestFunctions,
  ): (options: IHttpRequestOptions) => Promise<unknown>;
}

/** Its sources are CommonJS to TypeScript, as n8n wants them, which these tests are not. */
const { createTransport, credentialTestSender } = jest.requireActual<TransportModule>(
  '../../packages/n8n-nodes-screen-advertising/lib/transport.ts',
);

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start();
});

/** n8n's own request helper. */
function httpRequest(options: IHttpRequestOptions): Promise<unknown> {
  const workflow = engine.workflow([{ type: 'screenAdvertising', name: 'Node', parameters: {} }]);
  const additionalData = engine.additionalData('manual', workflow);
  const context = new n8nCore.LoadOptionsContext(workflow, firstNode(workflow), additionalData, '');
  const { helpers } = asDeclared<ILoadOptionsFunctions>(context);
  return helpers.httpRequest(options);
}

const overN8n = (): Transport => createTransport(httpRequest);

const request = { method: 'POST', url: 'https://service.example/', headers: {} } as const;

describeTransport("n8n's request helper", () => ({ transport: overN8n() }), {
  law: 'n8n',
  renewsConnections: true,
});

describeTransport(
  'the request helper of a credential test',
  () => {
    const context = asDeclared<ICredentialTestFunctions>(new n8nCore.CredentialTestContext());
    return { transport: createTransport(credentialTestSender(context)) };
  },
  { law: 'n8n' },
);

it('a connection that ends during the TLS handshake has sent nothing', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}/`;
  await expect(overN8n().send({ ...request, url, timeoutMs: 10_000 })).rejects.toMatchObject({
    code: 'network_error',
    sent: 'no',
  });
  server.close();
});

it.each([
  ['a connection that takes too long', {}, 'no'],
  ['no connection to any address', { syscall: undefined, errors: [{ syscall: 'connect' }] }, 'no'],
  ['an answer that takes too long', { syscall: 'read' }, 'maybe'],
])('%s shows whether the request was sent', async (_what, more, sent) => {
  const error = Object.assign(new Error('connect'), { code: 'ETIMEDOUT', syscall: 'connect' });
  const transport = createTransport(async () => {
    throw Object.assign(new Error('n8n'), { cause: Object.assign(error, more) });
  });
  await expect(transport.send({ ...request, timeoutMs: 10_000 })).rejects.toMatchObject({ sent });
});

it('a caller who aborts during the token request gets the abort reason', async () => {
  const caller = new AbortController();
  const transport = createTransport(async () => {
    caller.abort('enough');
    throw new Error('n8n', { cause: new TransportError('late', { code: 'timeout', sent: 'no' }) });
  });
  await expect(
    transport.send({ ...request, timeoutMs: 60_000, signal: caller.signal }),
  ).rejects.toBe('enough');
});
