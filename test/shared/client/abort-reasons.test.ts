import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKey, type Client, createClient, nodeTransport } from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../support/bench.ts';

const failure = Object.assign(new Error('fetch failed'), { code: 'ECONNRESET' });

/** What a program may pass to `abort`. */
const reasons: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['false', false],
  ['true', true],
  ['0', 0],
  ['NaN', Number.NaN],
  ['a big integer', 10n],
  ['an empty text', ''],
  ['a text', 'the caller has left'],
  ['a symbol', Symbol('left')],
  ['a function', () => 'left'],
  ['a list', []],
  ['an object', {}],
  ['an object without prototype', Object.create(null)],
  ['a frozen object', Object.freeze({ why: 'left' })],
  ['an object with a code of Node.js', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['an object whose name is that of a failed fetch', { name: 'TypeError', message: 'x' }],
  ['a date', new Date(0)],
  ['an error', new Error('left')],
  ['an error with a code of Node.js', failure],
  ['an exception of the DOM', new DOMException('left', 'TimeoutError')],
];

const held = new Set<ServerResponse>();
let server: Server;
let asked = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    held.add(response);
    if (request.url?.includes('body')) {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
    }
    if (request.url?.includes('retry')) {
      response.writeHead(503, { 'retry-after': '30' }).end();
    }
    if (request.url?.includes('gone')) response.writeHead(404).write('{"title":');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeAll(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterEach(() => {
  for (const response of held) response.destroy();
  held.clear();
});
const pool = undiciTransport();
afterAll(async () => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  await pool.close();
  server.close();
});

const transports = { node: nodeTransport(), undici: pool, fetch: fetchTransport() };

type Moment = (client: Client, signal: AbortSignal) => Promise<unknown>;
const get =
  (screenId: string): Moment =>
  (client, signal) =>
    client.screens.get({ screenId }, { signal });

const moments: Readonly<Record<string, Moment>> = {
  'waits for a response': get('head'),
  'waits for it with a deadline': (client, signal) =>
    client.screens.get({ screenId: 'head' }, { signal, deadlineMs: 3_600_000 }),
  'receives its body': get('body'),
  'receives the body of a refusal': get('gone'),
  'waits for a retry': get('retry'),
  'lists all screens': async (client, signal) => {
    for await (const _screen of client.screens.list({}, { signal }));
  },
  'searches available screens': (client, signal) =>
    findAvailableScreens(client, { from: '2027-03-01', to: '2027-03-02' }, { signal }),
};

describe.each(Object.entries(transports))('%s: a call', (_name, transport) => {
  describe.each(Object.entries(moments))('that %s', (_when, begin) => {
    it.each(reasons)('is aborted with %s, and rejects with it', async (_what, reason) => {
      const { port: at } = server.address() as AddressInfo;
      const client = createClient({
        baseUrl: `http://127.0.0.1:${at}/api/v1`,
        auth: apiKey('svc_key'),
        transport,
        rateLimit: false,
      });
      const caller = new AbortController();
      const before = asked;
      const outcome = rejection(begin(client, caller.signal));
      await eventually(() => asked > before, 'the service has the request');
      await new Promise((resolve) => setImmediate(resolve));
      caller.abort(reason);
      expect(Object.is(await outcome, reason)).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    });
  });
});
