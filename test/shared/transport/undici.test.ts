import { createServer, type Server } from 'node:http';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { undiciTransport } from '@screen-advertising/core/undici';
import { generate } from 'selfsigned';
import { Agent, type Dispatcher } from 'undici';
import { listen } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';

/** A server with a transport to it, both closed at the end of the block. */
async function started(server: Server) {
  const transport = undiciTransport();
  const { port, connections, close } = await listen(server);
  const end = async (): Promise<void> => {
    await transport.close();
    await close();
  };
  return { port, transport, connections, [Symbol.asyncDispose]: end };
}

describe('undiciTransport', () => {
  it('refuses an encoding that it did not request and cannot read', async () => {
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
      message: `127.0.0.1:${port} sent a response in the encoding br, which was not requested. Check the base URL.`,
    });
  });
});

it("undiciTransport leaves the caller's dispatcher open", async () => {
  const dispatcher = new Agent();
  await undiciTransport({ dispatcher }).close();
  expect(dispatcher.closed).toBe(false);
  await dispatcher.close();
});

it('undiciTransport says which versions of undici work', async () => {
  /** undici 6 throws this for a handler of version 7. */
  class Old extends Agent {
    override dispatch(): boolean {
      throw new Error('invalid onError method');
    }
  }
  const dispatcher = new Old();
  const request = {
    method: 'GET',
    url: 'http://127.0.0.1:1/',
    headers: {},
    timeoutMs: 1000,
  } as const;
  expect(await rejection(undiciTransport({ dispatcher }).send(request))).toMatchObject({
    name: 'ConfigurationError',
    field: 'transport',
    message:
      'undiciTransport found no undici that works. Install undici 7 (Node.js 20.18 or newer) or 8 (Node.js 22.19 or newer).',
  });
  await dispatcher.close();
});

describe('a request that still waits for a connection', () => {
  /** Accepts requests and starts none. */
  class Busy extends Agent {
    readonly handlers: Dispatcher.DispatchHandler[] = [];
    override dispatch(_options: unknown, handler: Dispatcher.DispatchHandler): boolean {
      this.handlers.push(handler);
      return true;
    }
  }

  it('ends at once when the caller leaves, and is not sent later', async () => {
    const dispatcher = new Busy();
    const caller = new AbortController();
    const sent = undiciTransport({ dispatcher }).send({
      method: 'GET',
      headers: {},
      timeoutMs: 5000,
      url: 'http://127.0.0.1:1/',
      signal: caller.signal,
    });
    const reason = new Error('The caller has left.');
    caller.abort(reason);
    expect(await rejection(sent)).toBe(reason);
    const aborted: unknown[] = [];
    const controller = { abort: (why: unknown) => aborted.push(why) };
    dispatcher.handlers[0]?.onRequestStart?.(controller as never, {});
    expect(aborted).toEqual([expect.any(Error)]);
    await dispatcher.close();
  });
});

describe('a service that speaks HTTP/2', () => {
  /** Sends a change to a server that offers both versions: the error, and the offered versions. */
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
    // The certificate is refused after the protocols were offered.
    const { offered } = await sendTo(() => undefined);
    expect(offered).toEqual(['http/1.1']);
  });

  it("and breaks a stream on the caller's dispatcher: the request may have been sent", async () => {
    const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
    const breakOff = (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    const { error, offered } = await sendTo(breakOff, dispatcher);
    expect(offered).toContain('h2');
    expect(error).toMatchObject({ name: 'TransportError', code: 'network_error', sent: 'maybe' });
  });
});
