import { getEventListeners } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@screen-advertising/core';
import { generate } from 'selfsigned';
import { rejection } from '../support/bench.ts';
import { closedPort, type Listening, listen, rawServer } from '../support/loopback.ts';

export interface TransportUnderTest {
  readonly transport: Transport;
  close?(): Promise<void>;
}

/** What not every transport can do. */
export interface TransportTraits {
  /** It gives up on an answer whose body has more bytes. */
  readonly maxResponseBytes?: number;
  /** It uses a connection for several requests. */
  readonly keepsConnections?: boolean;
  /** It waits in vain for the rest of a body when the service has closed the connection. */
  readonly missesShortBodies?: boolean;
}

const secret = 'svc_secret_of_the_header';
const plenty = 10_000;
const reason = new Error('The caller has left.');

/**
 * What every transport must do, over real connections on this machine. `make` gives a transport
 * for one test; it is closed afterwards.
 */
export function describeTransport(
  name: string,
  make: () => TransportUnderTest | Promise<TransportUnderTest>,
  { maxResponseBytes, keepsConnections = false, missesShortBodies = false }: TransportTraits = {},
): void {
  describe(name, () => {
    let subject: TransportUnderTest;
    let listening: Listening[];

    beforeEach(async () => {
      subject = await make();
      listening = [];
    });

    afterEach(async () => {
      await subject.close?.();
      for (const server of listening) await server.close();
    });

    const open = async (server: Promise<Listening>): Promise<Listening> => {
      const opened = await server;
      listening.push(opened);
      return opened;
    };
    const serve = (answer: RequestListener) => open(listen(createHttpServer(answer)));
    const serveRaw = (answer: (socket: Socket) => void) => open(rawServer(answer));

    const send = (
      port: number,
      request: Partial<TransportRequest> = {},
    ): Promise<TransportResponse> =>
      subject.transport.send({
        method: 'GET',
        url: `http://127.0.0.1:${port}/api/v1/screens`,
        headers: { accept: 'application/json', authorization: `Bearer ${secret}` },
        timeoutMs: plenty,
        ...request,
      });

    const failure = async (work: Promise<unknown>): Promise<TransportError> => {
      const error = await rejection(work);
      expect(error).toBeInstanceOf(TransportError);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
      return error as TransportError;
    };

    const broke = (port: number): unknown =>
      expect.stringMatching(
        `^The connection to 127\\.0\\.0\\.1:${port} broke before the answer was complete( \\(\\w+\\))?\\. Try again\\.$`,
      );

    describe('sends', () => {
      it('method, path, query and headers as they are', async () => {
        const seen: unknown[] = [];
        const { port } = await serve((request, response) => {
          seen.push([request.method, request.url, request.headers.accept, request.headers['x-a']]);
          response.end('{}');
        });
        const url = `http://127.0.0.1:${port}/api/v1/coupons/a%2Fb%20c?city=Bad%20S%C3%A4ckingen&x=%2B`;
        await send(port, { url, headers: { accept: 'application/json', 'x-a': 'b' } });
        expect(seen).toEqual([
          [
            'GET',
            '/api/v1/coupons/a%2Fb%20c?city=Bad%20S%C3%A4ckingen&x=%2B',
            'application/json',
            'b',
          ],
        ]);
      });

      it('a body byte by byte, with its type', async () => {
        const seen: unknown[] = [];
        const { port } = await serve((request, response) => {
          const chunks: Buffer[] = [];
          request.on('data', (chunk: Buffer) => chunks.push(chunk));
          request.on('end', () => {
            seen.push([
              request.method,
              request.headers['content-type'],
              Buffer.concat(chunks).toString(),
            ]);
            response.writeHead(201).end('{}');
          });
        });
        const body = '{ "code" : "Ä-😀", "n": 12345678901234567890 }';
        const headers = { 'content-type': 'application/json' };
        expect(await send(port, { method: 'POST', body, headers })).toMatchObject({ status: 201 });
        expect(seen).toEqual([['POST', 'application/json', body]]);
      });

      it('a POST without a body', async () => {
        const seen: unknown[] = [];
        const { port } = await serve((request, response) => {
          request.on('data', (chunk) => seen.push(chunk));
          request.on('end', () => response.end('{}'));
        });
        expect(await send(port, { method: 'POST' })).toMatchObject({ status: 200 });
        expect(seen).toEqual([]);
      });

      it('many requests at once, each with an answer of its own', async () => {
        const { port } = await serve((request, response) => response.end(request.url));
        const urls = Array.from({ length: 30 }, (_, nth) => `http://127.0.0.1:${port}/${nth}`);
        const answers = await Promise.all(urls.map((url) => send(port, { url })));
        expect(answers.map(({ body }) => body)).toEqual(urls.map((_, nth) => `/${nth}`));
      });

      if (keepsConnections) {
        it('requests one after the other over the connections that are there', async () => {
          const server = await serve((_request, response) => response.end('{}'));
          for (let nth = 0; nth < 20; nth += 1) await send(server.port);
          expect(server.connections()).toBeLessThanOrEqual(2);
        });
      }
    });

    describe('gives', () => {
      it.each([
        200, 201, 202, 204, 400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 502, 503, 504,
      ])('status %i as an answer', async (status) => {
        const { port } = await serve((_request, response) => response.writeHead(status).end());
        expect((await send(port)).status).toBe(status);
      });

      it('headers by their lower-case names, several of one joined', async () => {
        const { port } = await serve((_request, response) => {
          response.setHeader('Retry-After', '60');
          response.setHeader('X-Several', ['a', 'b']);
          response.writeHead(429).end();
        });
        expect((await send(port)).headers).toMatchObject({
          'retry-after': '60',
          'x-several': 'a, b',
        });
      });

      it.each([
        ['JSON that a parser would change', '{ "id": 12345678901234567890, "a": 1.0 }\n'],
        ['a text', 'plain'],
        ['nothing', ''],
        ['a page', '<html>\r\n</html>'],
      ])('the raw body: %s', async (_what, body) => {
        const { port } = await serve((_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        });
        expect((await send(port)).body).toBe(body);
      });

      it('the raw body of an error', async () => {
        const body = '{"type":"about:blank","trace":12345678901234567890}';
        const { port } = await serve((_request, response) => {
          response.writeHead(409, { 'content-type': 'application/problem+json' }).end(body);
        });
        expect(await send(port, { method: 'POST', body: '{}' })).toMatchObject({
          status: 409,
          body,
        });
      });

      it('characters whole that come in pieces', async () => {
        const bytes = Buffer.from('{"city":"Bad Säckingen 😀"}');
        const { port } = await serve((_request, response) => {
          let at = 0;
          const next = (): void => {
            if (at === bytes.length) response.end();
            else response.write(bytes.subarray(at, ++at), next);
          };
          next();
        });
        expect((await send(port)).body).toBe(bytes.toString());
      });

      it('a large body', async () => {
        const body = JSON.stringify('ä'.repeat(500_000));
        const { port } = await serve((_request, response) => response.end(body));
        expect((await send(port)).body).toBe(body);
      });

      it('the text of a body that was compressed though nobody asked', async () => {
        const body = '{"id":"scr_1"}';
        const { port } = await serve((_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
        });
        expect((await send(port)).body).toBe(body);
      });

      it.each([301, 302, 303, 307, 308])(
        'a redirect with status %i, and does not follow it',
        async (status) => {
          const elsewhere = await serve((_request, response) => response.end('{}'));
          const { port } = await serve((_request, response) => {
            response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
          });
          expect((await send(port)).status).toBe(status);
          expect((await send(port, { method: 'POST', body: '{}' })).status).toBe(status);
          expect(elsewhere.connections()).toBe(0);
        },
      );
    });

    describe('tells that nothing was sent', () => {
      it('when the connection is refused', async () => {
        const port = await closedPort();
        expect(await failure(send(port, { method: 'POST', body: '{}' }))).toMatchObject({
          code: 'network_error',
          sent: 'no',
          isRetryable: true,
          message: `127.0.0.1:${port} refused the connection (ECONNREFUSED). Check the base URL and that the service is running.`,
        });
      });

      it('when the host is not known', async () => {
        expect(
          await failure(send(0, { url: 'http://service.invalid/api/v1/screens' })),
        ).toMatchObject({
          code: 'network_error',
          sent: 'no',
          message: expect.stringMatching(
            /^service\.invalid is not known \((ENOTFOUND|EAI_AGAIN)\)\. Check the host name in the base URL\.$/,
          ),
        });
      });

      it('when the certificate is not trusted', async () => {
        const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
        let requests = 0;
        const server = createTlsServer({ key, cert }, (_request, response) => {
          requests += 1;
          response.end('{}');
        });
        const { port } = await open(listen(server));
        expect(await failure(send(port, { url: `https://127.0.0.1:${port}/` }))).toMatchObject({
          code: 'network_error',
          sent: 'no',
          isRetryable: false,
          message: `127.0.0.1:${port} has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Check the base URL; a service of your own needs a certificate that this machine trusts.`,
        });
        expect(requests).toBe(0);
      });

      it('when the service does not speak https', async () => {
        const { port } = await serve((_request, response) => response.end('{}'));
        expect(await failure(send(port, { url: `https://127.0.0.1:${port}/` }))).toMatchObject({
          code: 'network_error',
          sent: 'no',
          isRetryable: false,
          message: expect.stringMatching(
            `^127\\.0\\.0\\.1:${port} does not answer as https does \\(\\w+\\)\\. Check the protocol, the host and the port in the base URL\\.$`,
          ),
        });
      });
    });

    describe('tells that it may have been sent', () => {
      it.each<[string, (socket: Socket) => void]>([
        ['the connection is reset', (socket) => socket.resetAndDestroy()],
        ['the connection is closed', (socket) => socket.end()],
        ['something other than HTTP comes', (socket) => socket.end('What do you want?\r\n\r\n')],
        ['the headers are cut off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
        [
          'a body in chunks is cut off',
          (socket) =>
            socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"id":\r\n'),
        ],
        [
          'a body in chunks is no such thing',
          (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'),
        ],
        [
          'the connection is reset within the body',
          (socket) =>
            socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":', () =>
              socket.resetAndDestroy(),
            ),
        ],
        [
          'a compressed body is no such thing',
          (socket) =>
            socket.end(
              'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 6\r\n\r\n{"id":',
            ),
        ],
      ])('when %s', async (_what, answer) => {
        const { port } = await serveRaw(answer);
        expect(await failure(send(port, { method: 'POST', body: '{}' }))).toMatchObject({
          code: 'network_error',
          sent: 'maybe',
          message: broke(port),
        });
      });

      it('when the body is cut off', async () => {
        const { port } = await serveRaw((socket) =>
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'),
        );
        expect(await failure(send(port, { timeoutMs: 500 }))).toMatchObject(
          missesShortBodies
            ? { code: 'timeout', sent: 'maybe' }
            : { code: 'network_error', sent: 'maybe', message: broke(port) },
        );
      });

      it.each<[string, (socket: Socket) => void]>([
        ['no answer comes', () => undefined],
        ['no body comes', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n')],
        [
          'the body drips',
          (socket) => {
            socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
            const drip = setInterval(() => socket.write('x'), 20);
            socket.on('close', () => clearInterval(drip));
          },
        ],
      ])('when the time is up and %s', async (_what, answer) => {
        const { port } = await serveRaw(answer);
        const startedAt = performance.now();
        expect(await failure(send(port, { timeoutMs: 200 }))).toMatchObject({
          code: 'timeout',
          sent: 'maybe',
          isRetryable: true,
          message: `127.0.0.1:${port} did not answer completely in time. Try again later, or allow more time.`,
        });
        const tookMs = performance.now() - startedAt;
        expect(tookMs).toBeGreaterThan(190);
        expect(tookMs).toBeLessThan(5000);
      });

      if (maxResponseBytes !== undefined) {
        it.each([
          ['announced', true],
          ['not announced', false],
        ])(
          'when the body is larger than it takes, and its length is %s',
          async (_what, isAnnounced) => {
            const body = 'x'.repeat(maxResponseBytes + 1);
            const { port } = await serve((_request, response) => {
              if (isAnnounced) response.setHeader('content-length', body.length);
              response.write(body);
              response.end();
            });
            expect(await failure(send(port))).toMatchObject({
              code: 'network_error',
              sent: 'maybe',
              message: `127.0.0.1:${port} sent more than ${maxResponseBytes} bytes, which no answer of the service needs. Check the base URL.`,
            });
          },
        );

        it('when a small compressed body is a large one', async () => {
          const { port } = await serve((_request, response) => {
            response.writeHead(200, { 'content-encoding': 'gzip' });
            response.end(gzipSync('x'.repeat(maxResponseBytes + 1)));
          });
          expect((await failure(send(port))).message).toContain(
            `more than ${maxResponseBytes} bytes`,
          );
        });
      }
    });

    describe('stops for the signal of the caller', () => {
      it('before anything is sent', async () => {
        const server = await serve((_request, response) => response.end('{}'));
        const signal = AbortSignal.abort(reason);
        expect(await rejection(send(server.port, { signal }))).toBe(reason);
        expect(server.connections()).toBe(0);
      });

      it.each<[string, string]>([
        ['while it waits for an answer', ''],
        ['while the body comes', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
      ])('%s, rejects with its reason and closes the connection', async (_what, start) => {
        const caller = new AbortController();
        const closed = new Promise<void>((resolve) => {
          void serveRaw((socket) => {
            socket.on('close', () => resolve());
            socket.write(start, () => caller.abort(reason));
          }).then(({ port }) => {
            outcome = rejection(send(port, { signal: caller.signal }));
          });
        });
        let outcome: Promise<unknown> | undefined;
        await closed;
        expect(await outcome).toBe(reason);
      });

      it('and leaves no listener on it', async () => {
        const { signal } = new AbortController();
        const { port } = await serve((_request, response) => response.end('{}'));
        await send(port, { signal });
        await failure(send(await closedPort(), { signal }));
        expect(getEventListeners(signal, 'abort')).toEqual([]);
      });
    });

    describe('brings a clock', () => {
      it('that tells the time of day', () => {
        expect(Math.abs(subject.transport.clock.now() - Date.now())).toBeLessThan(2000);
      });

      it('that sleeps as long as it is told', async () => {
        const { clock } = subject.transport;
        const startedAt = performance.now();
        await clock.sleep(30);
        expect(performance.now() - startedAt).toBeGreaterThan(28);
      });

      it('whose sleep ends with the reason of the signal, and leaves no listener on it', async () => {
        const { clock } = subject.transport;
        const caller = new AbortController();
        const outcome = rejection(clock.sleep(60_000, caller.signal));
        caller.abort(reason);
        expect(await outcome).toBe(reason);
        expect(await rejection(clock.sleep(60_000, AbortSignal.abort(reason)))).toBe(reason);
        const { signal } = new AbortController();
        await clock.sleep(1, signal);
        expect(getEventListeners(signal, 'abort')).toEqual([]);
      });
    });
  });
}
