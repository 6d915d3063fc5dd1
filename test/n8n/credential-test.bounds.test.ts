import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterEach, expect, it } from '@jest/globals';
import { testCredential } from './engine/credential-dialog.ts';
import { Engine } from './engine/engine.ts';

const mebibyte = 1024 * 1024;

let server: Server;
let sent: number;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a service whose every body is eight times the allowed size; returns its base URL. */
async function startFlood(isPacked: boolean): Promise<string> {
  sent = 0;
  server = createServer((_request, response) => {
    const body = Readable.from(chunks());
    if (isPacked) response.setHeader('content-encoding', 'gzip');
    (isPacked ? body.pipe(createGzip()) : body).pipe(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

function* chunks(): Generator<Buffer> {
  for (; sent < 64 * mebibyte; sent += mebibyte) yield Buffer.alloc(mebibyte, ' ');
}

it.each([
  ['plain', false],
  ['packed', true],
])('the test of a credential stops reading a %s body beyond 8 MiB', async (_what, isPacked) => {
  const baseUrl = await startFlood(isPacked);
  const engine = await Engine.start();
  const result = await testCredential(engine, 'screenAdvertisingApi', { baseUrl, apiKey: 'svc_x' });
  expect(result).toEqual({
    status: 'Error',
    message: `${new URL(baseUrl).host} sent more than 8388608 bytes, more than any response of the service. Check the base URL.`,
  });
  // A plain body waits for its reader; a compressed one is small enough to send at once.
  if (!isPacked) expect(sent).toBeLessThan(64 * mebibyte);
});
