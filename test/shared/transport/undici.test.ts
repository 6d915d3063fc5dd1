import { createServer, type Server } from 'node:http';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { generate } from 'selfsigned';
import { Agent } from 'undici';
import { rejection } from '../support/bench.ts';
import { listen } from '../support/loopback.ts';
import { describeTransport } from './transport-contract.ts';

const maxResponseBytes = 2_000_000;

describeTransport(
  'undiciTransport',
  () => {
    const transport = undiciTransport({ maxResponseBytes });
    return { transport, close: () => transport.close() };
  },
  { maxResponseBytes, keepsConnections: true },
);

describeTransport('undiciTransport with a dispatcher of the caller', () => {
  const dispatcher = new Agent({ connections: 5 });
  return { transport: undiciTransport({ dispatcher }), close: () => dispatcher.close() };
});

/** A server with a transport to it, both closed at the end of the block. */
async function started(server: Server) {
  const transport = undiciTransport();
  const { port, close } = await listen(server);
  const end = async (): Promise<void> => {
    await transport.close();
    await close();
  };
  return { port, transport, [Symbol.asyncDispose]: end };
}

describe('undiciTransport', () => {
  it('refuses an encoding that it did not ask for and cannot read', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{}'));
    });
    await using service = await started(server);
    const { port, transport } = service;
    const request = { method: 'GET', headers: {}, timeoutMs: 1000 } as const;
    expect(
      await rejection(transport.send({ ...request, url: `http://127.0.0.1:${port}/` })),
    ).toMatchObject({
      code: 'network_error',
      isRetryable: false,
      message: `127.0.0.1:${port} sent an answer in the encoding br, which was not asked for. Check the base URL.`,
    });
  });

  it('leaves no timer behind', async () => {
    await using service = await started(createServer((_request, response) => response.end('{}')));
    const { port, transport } = service;
    const url = `http://127.0.0.1:${port}/`;
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await transport.send({ method: 'GET', headers: {}, timeoutMs: 60_000, url });
    const before = timers();
    for (let nth = 0; nth < 20; nth += 1) {
      await transport.send({ method: 'GET', headers: {}, timeoutMs: 60_000, url });
    }
    expect(timers() - before).toBeLessThan(10);
  });

  it('leaves the dispatcher of a caller open', async () => {
    const dispatcher = new Agent();
    await undiciTransport({ dispatcher }).close();
    expect(dispatcher.closed).toBe(false);
    await dispatcher.close();
  });
});

describe('a connection that breaks within a body', () => {
  it('was none that the service had closed before', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"id":', () => response.destroy());
    });
    await using service = await started(server);
    const { port, transport } = service;
    const request = { method: 'GET', headers: {}, timeoutMs: 1000 } as const;
    expect(
      await rejection(transport.send({ ...request, url: `http://127.0.0.1:${port}/` })),
    ).toMatchObject({ sent: 'maybe', isStaleSocket: false });
  });
});

describe('a kept connection that the service has closed meanwhile', () => {
  it('costs a GET nothing: it is sent again at once', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      // The second request meets the end of the connection instead of an answer.
      if (requests === 2) request.socket.end();
      else response.end('{"id":"scr_1"}');
    });
    await using service = await started(server);
    const { port, transport } = service;
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}/api/v1`,
      auth: apiKey('svc_key'),
      transport,
      clock: { now: () => 0, sleep: () => Promise.reject(new Error('It was waited.')) },
    });
    await client.screens.get({ screenId: 'scr_1' });
    // Until the connection is free again: otherwise the next request would open another one.
    await nextTurn();
    expect(await client.screens.get({ screenId: 'scr_1' })).toEqual({ id: 'scr_1' });
    expect(requests).toBe(3);
  });
});

describe('a service that speaks HTTP/2', () => {
  /** Sends a change to a server that offers both versions; what is rejected, and what was offered. */
  async function sendTo(onStream: (stream: ServerHttp2Stream) => void, dispatcher?: Agent) {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const offered: string[] = [];
    const ALPNCallback = ({ protocols }: { protocols: string[] }) => {
      offered.push(...protocols);
      return protocols.includes('h2') ? 'h2' : 'http/1.1';
    };
    const server = createSecureServer({ key, cert, ALPNCallback });
    server.on('stream', (stream) => onStream(stream.on('error', () => undefined)));
    const { port, close } = await listen(server);
    const transport = undiciTransport(dispatcher && { dispatcher });
    const request = { method: 'POST', headers: {}, body: '{}', timeoutMs: 5000 } as const;
    try {
      const url = `https://127.0.0.1:${port}/`;
      return { error: await rejection(transport.send({ ...request, url })), offered };
    } finally {
      await Promise.all([transport.close(), dispatcher?.destroy(), close()]);
    }
  }

  it('is called over HTTP/1.1, where a dead connection holds up one call only', async () => {
    // The certificate is refused, after the protocols were offered.
    const { offered } = await sendTo(() => undefined);
    expect(offered).toEqual(['http/1.1']);
  });

  it('and breaks a stream on a dispatcher of the caller: it may have been sent', async () => {
    const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
    const breakOff = (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    const { error, offered } = await sendTo(breakOff, dispatcher);
    expect(offered).toContain('h2');
    expect(error).toMatchObject({ name: 'TransportError', code: 'network_error', sent: 'maybe' });
  });
});
