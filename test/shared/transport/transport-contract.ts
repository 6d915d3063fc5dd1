import { getEventListeners } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@screen-advertising/core';
import { closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { type Listening, listen, rawServer } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { type Differences, differences } from './law/differences.ts';
import { outcomesOf } from './law/outcome.ts';
import { expectedOf, openTable } from './law/table.ts';

export interface TransportUnderTest {
  readonly transport: Transport;
  close?(): Promise<void>;
}

/** Capabilities in which transports differ. */
export interface TransportTraits {
  /** Uses a connection for several requests. */
  readonly keepsConnections?: boolean;
  /** Has at most 100 connections. */
  readonly poolsConnections?: boolean;
  /** Opens a connection for each change. */
  readonly renewsConnections?: boolean;
  /** Its name in the list of differences. Default: it is not asked for the law. */
  readonly law?: keyof typeof differences;
}

/**
 * What every transport must do, over real connections on this machine. `make` creates a transport
 * for one test; it is closed afterwards.
 */
export function describeTransport(
  name: string,
  make: () => TransportUnderTest | Promise<TransportUnderTest>,
  traits: TransportTraits = {},
): void {
  describe(name, () => {
    const bench = new Bench();
    beforeEach(async () => {
      const { transport, close } = await make();
      bench.transport = transport;
      closeAfterTest(() => close?.());
    });
    describeSending(bench, traits);
    describeAbort(bench);
    if (traits.poolsConnections) describeConnections(bench);
    if (traits.law) describeLaw(make, traits.law);
    describeResponses(bench);
    describeClock(bench);
  });
}

const secret = 'svc_secret_of_the_header';

class Bench {
  /** New for each test. */
  transport = {} as Transport;

  send(port: number, request: Partial<TransportRequest> = {}): Promise<TransportResponse> {
    return this.transport.send({
      method: 'GET',
      url: `http://127.0.0.1:${port}/api/v1/screens`,
      headers: { accept: 'application/json', authorization: `Bearer ${secret}` },
      timeoutMs: 10_000,
      ...request,
    });
  }
}

/** A server until the end of the test. */
async function serve(answer: RequestListener): Promise<Listening> {
  const server = await listen(createServer(answer));
  closeAfterTest(server.close);
  return server;
}

/** One that responds with bytes that need not be HTTP. */
async function serveRaw(answer: (socket: Socket) => void): Promise<Listening> {
  const server = await rawServer(answer);
  closeAfterTest(server.close);
  return server;
}

/** The error that a request ended with, which never holds the secret of the request's header. */
async function failure(work: Promise<unknown>): Promise<TransportError> {
  const error = await rejection(work);
  expect(error).toBeInstanceOf(TransportError);
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
  return error as TransportError;
}

function describeSending(bench: Bench, traits: TransportTraits): void {
  describe('sends', () => {
    const json = { accept: 'application/json', 'content-type': 'application/json' };
    it.each<[string, Partial<TransportRequest>]>([
      ['a GET with its headers', { headers: { accept: 'application/json' } }],
      [
        'a body byte by byte',
        { method: 'POST', body: '{ "code" : "Ä-😀", "n": 1.0 }', headers: json },
      ],
      ['a PUT with a body, as to the relay', { method: 'PUT', body: '{"a":1}', headers: json }],
      ['a DELETE without a body', { method: 'DELETE', headers: {} }],
      ['a POST without a body', { method: 'POST', headers: {} }],
    ])('%s, to the path and query that it is given', async (_what, request) => {
      const seen: unknown[] = [];
      const { port } = await serve((received, response) => {
        const chunks: Buffer[] = [];
        received.on('data', (chunk: Buffer) => chunks.push(chunk));
        received.on('end', () => {
          const { method, url, headers } = received;
          seen.push([method, url, headers['content-type'], Buffer.concat(chunks).toString()]);
          response.writeHead(204).end();
        });
      });
      const path = '/api/v1/coupons/a%2Fb%20c?city=Bad%20S%C3%A4ckingen&x=%2B';
      const url = `http://127.0.0.1:${port}${path}`;
      expect(await bench.send(port, { ...request, url })).toMatchObject({ status: 204, body: '' });
      const { method = 'GET', body = '', headers } = request;
      expect(seen).toEqual([[method, path, headers?.['content-type'], body]]);
    });

    it('many requests at once, each with its own response', async () => {
      const { port } = await serve((request, response) => response.end(request.url));
      const urls = Array.from({ length: 30 }, (_, nth) => `http://127.0.0.1:${port}/${nth}`);
      const answers = await Promise.all(urls.map((url) => bench.send(port, { url })));
      expect(answers.map(({ body }) => body)).toEqual(urls.map((_, nth) => `/${nth}`));
    });

    if (traits.renewsConnections) {
      it('a change over a new connection', async () => {
        const server = await serve((_request, response) => response.end('{}'));
        for (let nth = 0; nth < 3; nth += 1) {
          await bench.send(server.port, { method: 'POST' });
          await nextTurn();
        }
        expect(server.connections()).toBe(3);
      });
    }

    if (traits.keepsConnections) {
      it('consecutive requests over existing connections', async () => {
        const server = await serve((_request, response) => response.end('{}'));
        for (let nth = 0; nth < 20; nth += 1) await bench.send(server.port);
        expect(server.connections()).toBeLessThanOrEqual(2);
      });
    }
  });
}

function describeResponses(bench: Bench): void {
  describe('returns', () => {
    it.each([
      ['JSON that a parser would change', '{ "id": 12345678901234567890, "a": 1.0 }\n'],
      ['a large text', JSON.stringify('ä'.repeat(500_000))],
    ])('the raw body: %s', async (_what, body) => {
      const { port } = await serve((_request, response) => {
        response.writeHead(409, { 'content-type': 'application/json' }).end(body);
      });
      expect(await bench.send(port)).toMatchObject({ status: 409, body });
    });

    it('whole characters that arrive in pieces', async () => {
      const bytes = Buffer.from('{"city":"Bad Säckingen 😀"}');
      const { port } = await serve((_request, response) => {
        let at = 0;
        const next = (): void => {
          if (at === bytes.length) response.end();
          else response.write(bytes.subarray(at, ++at), next);
        };
        next();
      });
      expect((await bench.send(port)).body).toBe(bytes.toString());
    });

    it('an error instead of a body that never ends, and stops reading', async () => {
      const closed = Promise.withResolvers<void>();
      const { port } = await serve((_request, response) => {
        const piece = 'x'.repeat(65_536);
        const pour = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', pour).on('close', () => closed.resolve());
        pour();
      });
      expect(await failure(bench.send(port))).toMatchObject({
        isRetryable: false,
        message: `127.0.0.1:${port} sent more than 8388608 bytes, more than any response of the service. Check the base URL.`,
      });
      await closed.promise;
    });

    it('a redirect of a change, and does not follow it', async () => {
      const elsewhere = await serve((_request, response) => response.end('{}'));
      const { port } = await serve((_request, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
      });
      expect((await bench.send(port, { method: 'POST', body: '{}' })).status).toBe(307);
      expect(elsewhere.connections()).toBe(0);
    });
  });
}

/** Why a caller aborts. */
const reason = new Error('The caller has left.');

function describeConnections(bench: Bench): void {
  describe('connections', () => {
    it('are at most a hundred, and who leaves while waiting for one sends nothing', async () => {
      const held: ServerResponse[] = [];
      let most = 0;
      const { port } = await serve((_request, response) => {
        held.push(response);
        most = Math.max(most, held.length);
      });
      const work = Array.from({ length: 150 }, () => bench.send(port));
      await eventually(() => held.length >= 100, '100 requests arrived');
      const caller = new AbortController();
      const { signal } = caller;
      const left = Array.from({ length: 100 }, () => rejection(bench.send(port, { signal })));
      // Gives one more request time to arrive.
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
      caller.abort(reason);
      expect(new Set(await Promise.all(left))).toEqual(new Set([reason]));
      const respond = async (count: number) => {
        for (let served = 0; served < count; served += 1) {
          await eventually(() => held.length > 0, 'a request arrived');
          held.pop()?.end('{}');
        }
      };
      await Promise.all([...work, respond(150)]);
      await Promise.all([bench.send(port), respond(1)]);
      expect(held).toEqual([]);
      expect(most).toBe(100);
    });

    it('to a host that hangs hold up no other host', async () => {
      const { port: hanging } = await serve(() => undefined);
      const { port } = await serve((_request, response) => response.end('{}'));
      const caller = new AbortController();
      const { signal } = caller;
      const stuck = Array.from({ length: 120 }, () => rejection(bench.send(hanging, { signal })));
      expect((await bench.send(port)).status).toBe(200);
      caller.abort(reason);
      await Promise.all(stuck);
    });

    it('report when a request has its turn, not when it begins to wait', async () => {
      const held: ServerResponse[] = [];
      const { port } = await serve((_request, response) => void held.push(response));
      let sent = 0;
      const onSend = () => {
        sent += 1;
      };
      const work = Array.from({ length: 101 }, () => bench.send(port, { onSend }));
      await eventually(() => held.length >= 100, 'a hundred requests arrived');
      expect(sent).toBe(100);
      held.pop()?.end('{}');
      await eventually(() => sent === 101, 'the last request had its turn');
      await eventually(() => held.length === 100, 'it arrived');
      for (const response of held) response.end('{}');
      await Promise.all(work);
    });

    it('that switch to another protocol leave their places', async () => {
      const { port } = await serveRaw((socket) => {
        socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n');
      });
      await Promise.all(Array.from({ length: 120 }, () => failure(bench.send(port))));
    });
  });
}

function describeAbort(bench: Bench): void {
  describe('stops for the signal of the caller', () => {
    it('before anything is sent', async () => {
      const server = await serve((_request, response) => response.end('{}'));
      const signal = AbortSignal.abort(reason);
      expect(await rejection(bench.send(server.port, { signal }))).toBe(reason);
      expect(server.connections()).toBe(0);
    });

    const lookalike = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const starts = {
      'while it waits for a response': '',
      'while the body arrives': 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{',
      'while a refusal arrives': 'HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\n\r\n{',
    };
    it.each(
      Object.entries(starts).flatMap(([what, start]) =>
        [reason, null, lookalike].map((why) => [what, start, why] as const),
      ),
    )('%s, rejects with its reason and closes the connection', async (_what, start, why) => {
      const caller = new AbortController();
      const closed = Promise.withResolvers<void>();
      const { port } = await serveRaw((socket) => {
        socket.on('close', () => closed.resolve());
        socket.write(start, () => caller.abort(why));
      });
      const outcome = rejection(bench.send(port, { signal: caller.signal }));
      await closed.promise;
      expect(await outcome).toBe(why);
    });

    it('with one listener for all requests', async () => {
      const caller = new AbortController();
      const { signal } = caller;
      const { port } = await serve(() => undefined);
      const work = Array.from({ length: 30 }, () => rejection(bench.send(port, { signal })));
      expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
      caller.abort(reason);
      expect(new Set(await Promise.all(work))).toEqual(new Set([reason]));
    });

    it('and leaves no listener on it', async () => {
      const { signal } = new AbortController();
      const { port } = await serve((_request, response) => response.end('{}'));
      await bench.send(port, { signal });
      await failure(bench.send(await freePort(), { signal }));
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}

function describeClock(bench: Bench): void {
  describe('provides a clock', () => {
    it('that knows the time of day, and keeps measuring when it is set', () => {
      const { clock } = bench.transport;
      const real = Date.now;
      const before = clock.now();
      for (const byMs of [0, -3_600_000, 3_600_000]) {
        const set = jest.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
        const [date, passedMs] = [Number(clock.date?.()), clock.now() - before];
        set.mockRestore();
        expect(passedMs).toBeGreaterThanOrEqual(0);
        expect(passedMs).toBeLessThan(3_600_000);
        expect(Math.abs(date - real())).toBeLessThan(Math.abs(byMs) + 60_000);
      }
    });

    it('that sleeps as long as requested', async () => {
      const { clock } = bench.transport;
      const woken: string[] = [];
      const naps = [100, 30].map((ms) => clock.sleep(ms).then(() => woken.push(`${ms} ms`)));
      // A shorter timer of this test, set after them, fires first.
      await new Promise((resolve) => setTimeout(resolve, 1)).then(() => woken.push('1 ms'));
      await Promise.all(naps);
      expect(woken).toEqual(['1 ms', '30 ms', '100 ms']);
    });

    it('whose sleep ends with the reason of the signal, and leaves no listener on it', async () => {
      const { clock } = bench.transport;
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
}

/** Sends a request to every case: each settles, as the law or a named difference says. */
export function describeLaw(
  make: () => TransportUnderTest | Promise<TransportUnderTest>,
  name: keyof typeof differences,
): void {
  it('keeps the law in every case but those where it is known to differ', async () => {
    const known: Differences = differences[name];
    const { rows, close } = await openTable();
    const { transport, close: end } = await make();
    const expected = rows.map((row) => expectedOf(row, known));
    const outcomes = await outcomesOf(transport, expected);
    await end?.();
    await close();
    const named = (texts: readonly string[]) =>
      Object.fromEntries(rows.map((row, nth) => [row.name, texts[nth]]));
    expect(named(outcomes)).toEqual(named(expected.map(({ outcome }) => outcome)));
    // A difference that has gone, or has lost its case, goes from the list.
    const laws = named(rows.map(({ law }) => law));
    expect(Object.entries(known).filter(([one, text]) => (laws[one] ?? text) === text)).toEqual([]);
  });
}
