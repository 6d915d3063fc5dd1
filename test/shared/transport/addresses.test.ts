import dns from 'node:dns';
import { createServer } from 'node:http';
import net from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { nodeTransport } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { closeAfterTest } from '../../support/closing.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';

const transports = {
  nodeTransport: () => ({ ...nodeTransport(), close: async () => undefined }),
  undiciTransport: () => undiciTransport(),
};

/** The name has two addresses, at the first of which nothing listens. */
function resolveTwo(): void {
  type Found = (error: null, addresses: dns.LookupAddress[]) => void;
  const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  const lookup = jest
    .spyOn(dns, 'lookup')
    .mockImplementation(((...given: unknown[]) =>
      process.nextTick(given.at(-1) as Found, null, addresses)) as never);
  closeAfterTest(() => lookup.mockRestore());
}

describe.each(Object.entries(transports))('%s to a name with two addresses', (_name, make) => {
  const send = (port: number) => {
    const transport = make();
    closeAfterTest(transport.close);
    const url = `http://localhost:${port}/`;
    return transport.send({ method: 'GET', url, headers: {}, timeoutMs: 10_000 });
  };

  it('grants each 2 s, where Node.js grants all but the last 250 ms, and asks the next at once', async () => {
    resolveTwo();
    const connected = jest.spyOn(net.Socket.prototype, 'connect');
    closeAfterTest(() => connected.mockRestore());
    const server = await listen(createServer((_request, response) => response.end('{}')));
    closeAfterTest(server.close);
    expect((await send(server.port)).status).toBe(200);
    const [given] = connected.mock.calls as unknown as [[object]];
    expect([given[0]].flat()[0]).toMatchObject({
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 2000,
    });
  });

  it('says how each of them ended', async () => {
    resolveTwo();
    const port = await freePort();
    expect(await rejection(send(port))).toMatchObject({
      sent: 'no',
      message: `localhost:${port} refused the connection (ECONNREFUSED). Check the base URL and that the service is running.`,
    });
  });
});
