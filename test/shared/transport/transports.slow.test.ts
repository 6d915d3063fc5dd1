import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { nodeTransport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';
import { listen } from '../support/loopback.ts';
import { describeLaw, describeTransport } from './transport-contract.ts';

describe('nodeTransport', () => describeLaw(() => ({ transport: nodeTransport() }), 'node'));

describeTransport('fetchTransport', () => ({ transport: fetchTransport() }), {
  law: 'fetch',
  keepsConnections: true,
});

/** As of React Native, whose bodies are not streams. */
async function withoutStreams(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { type, status, headers } = response;
  const text = () => response.text();
  return { type, status, headers, text, arrayBuffer: () => response.arrayBuffer() } as Response;
}

describe('fetchTransport with a fetch without streams', () =>
  describeLaw(() => ({ transport: fetchTransport({ fetch: withoutStreams }) }), 'fetch'));

describeTransport(
  'undiciTransport',
  () => {
    const transport = undiciTransport();
    return { transport, close: () => transport.close() };
  },
  { law: 'undici', keepsConnections: true, poolsConnections: true },
);

const forwarded = [
  'GET http://localhost:10001/api/v1/screens/a',
  'POST http://localhost:10001/api/v1/landing-links',
];

it.each([
  ['default', forwarded],
  ['node', forwarded],
  ['undici', forwarded],
  ['fetch', ['CONNECT localhost:10001', 'GET /api/v1/screens/a', 'POST /api/v1/landing-links']],
])('%s uses the proxy of the environment, where Node.js does', async (name, requests) => {
  const seen: unknown[] = [];
  const server = createServer(({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    response.writeHead(method === 'GET' ? 200 : 201).end('{"id":"a","url":"https://a.example"}');
  });
  // It is the service, too.
  server.on('connect', ({ url }, socket) => {
    seen.push(`CONNECT ${url}`);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    server.emit('connection', socket);
  });
  const proxy = await listen(server);
  await promisify(execFile)(
    process.execPath,
    [
      '--conditions=source',
      '--no-warnings',
      join(import.meta.dirname, 'proxied-program.ts'),
      'http://localhost:10001/api/v1',
      name,
    ],
    {
      env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
    },
  );
  // Fetch need not keep a tunnel.
  expect([...new Set(seen)]).toEqual(requests);
  await proxy.close();
});
