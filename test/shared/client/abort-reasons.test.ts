import { createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Attempt,
  apiKey,
  type Client,
  type ClientOptions,
  clientCredentials,
  createClient,
  nodeTransport,
  type Transport,
} from '@screen-advertising/core';
import { findAvailableScreens, watchAvailability } from '@screen-advertising/core/availability';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { createRelayClient } from '@screen-advertising/core/relay';
import { undiciTransport } from '@screen-advertising/core/undici';
import { closeAfterFile, closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { cases, sampleOf } from '../../support/tier.ts';
import { type Listening, listen } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { ScriptedService, type Step } from '../support/scripted-service.ts';
import { page, problem, silence } from '../support/steps.ts';

const pool = undiciTransport();

const transports = { node: nodeTransport(), undici: pool, fetch: fetchTransport() };

/** A call, and the aborts that end it. */
interface Scene {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** Requests of the call that have ended. */
  readonly ended: Attempt[];
}

/** Where a call is when its caller aborts. */
interface Moment {
  begin(scene: Scene): Promise<unknown>;
  /** Requests that the service then has. Default: 1. */
  readonly received?: number;
  /** Requests that have then ended. Default: 0. */
  readonly ended?: number;
  /** Connections that are then being made. Default: 0. */
  readonly connecting?: number;
  /** The signal has aborted before. */
  readonly isBefore?: true;
  /** Fetch has no queue that this project could empty. */
  readonly isQueue?: true;
}

const service = new ScriptedService();
/** Each of its hundred places is taken, for each transport. */
const busy = new ScriptedService();
/** Accepts connections, and never ends a TLS handshake. */
let mute: Listening;
const handshakes = new Set<Socket>();

/** Starts the servers of the moments, until the test file ends. */
async function startServers(): Promise<void> {
  mute = await listen(createServer((socket) => handshakes.add(socket)));
  await Promise.all([service.start(), busy.start()]);
  closeAfterFile(async () => {
    await mute.close();
    await Promise.all([service.stop(), busy.stop()]);
    await pool.close();
  });
}

/** Begins a call and takes it to its moment. */
async function take(moment: Moment, scene: Scene) {
  const { received = moment.isBefore || moment.isQueue ? 0 : 1, ended = 0 } = moment;
  prepare();
  if (moment.isQueue) await fill(scene.transport);
  const all = () => service.received.length + busy.received.length;
  const before = all();
  const outcome = rejection(moment.begin(scene));
  const isThere = () =>
    all() - before >= (moment.connecting ? 0 : received) &&
    scene.ended.length >= ended &&
    handshakes.size >= (moment.connecting ?? 0);
  await eventually(isThere, 'the call has come so far');
  await settle();
  const sent = all();
  return { outcome, sentSince: () => all() - sent };
}

/** What can happen without time passing has happened. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await turn();
}

/** Begins what a service sends, and never ends it. */
const half =
  (status: number): Step =>
  (response, held) => {
    held.hold(response);
    response.writeHead(status, { 'content-type': 'application/json' }).write('{"id":');
  };

function prepare(): void {
  service.reset();
  closeAfterTest(() => {
    service.reset();
    for (const socket of handshakes) socket.destroy();
    handshakes.clear();
  });
  const screen = { id: 'scr_1' };
  const script: Readonly<Record<string, Step[]>> = {
    'POST /oauth/token': [silence],
    'GET /screens/held': [silence],
    'GET /screens/half': [half(200)],
    'GET /screens/gone': [half(404)],
    'GET /screens/quick': [{ body: screen }, silence],
    'GET /screens/later': [problem(503, {}, { 'retry-after': '30' })],
    'GET /screens/paused': [problem(429, {}, { 'retry-after': '30' })],
    'POST /coupons': [problem(500)],
    'GET /coupons/A': [silence],
    'GET /screens': [page([screen], 'c1', true), silence],
    'GET /screens/scr_1/availability': [silence],
    'GET /events': [silence],
  };
  for (const [route, steps] of Object.entries(script)) service.on(route, ...steps);
}

const filled = new Set<Transport>();

/** Takes every place of a transport to one server. */
async function fill(transport: Transport): Promise<void> {
  if (filled.has(transport)) return;
  filled.add(transport);
  const wanted = filled.size * 100;
  const end = new AbortController();
  const work = Array.from({ length: 100 }, () =>
    rejection(transport.send({ ...request('held', busy), signal: end.signal })),
  );
  closeAfterFile(() => {
    end.abort('over');
    return Promise.all(work);
  });
  for (const screen of ['held', 'scr_1']) busy.on(`GET /screens/${screen}`, silence);
  await eventually(() => busy.held === wanted, 'every place is taken');
}

/** For a transport alone. */
function request(screen: string, { baseUrl } = service) {
  const url = `${baseUrl}/screens/${screen}`;
  return { method: 'GET', url, headers: {}, timeoutMs: 3_600_000 } as const;
}

let clients = 0;

/** A client whose tokens and limit are its own. */
function clientOf({ transport, ended }: Scene, options: Partial<ClientOptions> = {}): Client {
  clients += 1;
  return createClient({
    baseUrl: service.baseUrl,
    auth: apiKey(`svc_${clients}`),
    transport,
    rateLimit: false,
    onAttempt: (attempt) => void ended.push(attempt),
    ...options,
  });
}

function clientWithToken(scene: Scene): Client {
  clients += 1;
  const auth = clientCredentials({ clientId: `id_${clients}`, clientSecret: 'secret' });
  return clientOf(scene, { auth });
}

/** A client that may send one request an hour. */
function limited(scene: Scene, requests = 1): Client {
  return clientOf(scene, { rateLimit: { requests, perMs: 3_600_000 } });
}

const get =
  (screenId: string, deadlineMs?: number) =>
  (scene: Scene): Promise<unknown> =>
    clientOf(scene).screens.get({ screenId }, { signal: scene.signal, deadlineMs });

const send = (screen: string) => (scene: Scene) =>
  scene.transport.send({ ...request(screen), signal: scene.signal });

const ofMute = () => `https://127.0.0.1:${mute.port}/api/v1`;
const coupon = { discount_type: 'percent', discount_value: 25, code: 'A' } as const;
const period = { from: '2027-03-01', to: '2027-03-02' };

/** While another caller waits for the same, which must not get the reason. */
function besideAnother(
  other: (signal: AbortSignal) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const end = new AbortController();
  const first = rejection(other(end.signal));
  return work().finally(async () => {
    end.abort('its own');
    expect(await first).toBe('its own');
  });
}

const moments: Readonly<Record<string, Moment>> = {
  'a call that has not begun': { begin: get('held'), isBefore: true },
  'a call that waits for a token': {
    begin: (scene) =>
      clientWithToken(scene).screens.get({ screenId: 'held' }, { signal: scene.signal }),
  },
  'a call that waits for the token of another caller': {
    begin: (scene) => {
      const { screens } = clientWithToken(scene);
      return besideAnother(
        (signal) => screens.get({ screenId: 'held' }, { signal }),
        () => screens.get({ screenId: 'held' }, { signal: scene.signal }),
      );
    },
  },
  'a call that waits for its rate limit': {
    begin: async (scene) => {
      const { screens } = limited(scene);
      await screens.get({ screenId: 'quick' });
      return screens.get({ screenId: 'held' }, { signal: scene.signal });
    },
    ended: 1,
  },
  'a call that waits behind one in flight': {
    begin: (scene) => {
      const { screens } = limited(scene);
      return besideAnother(
        (signal) => screens.get({ screenId: 'held' }, { signal }),
        () => screens.get({ screenId: 'quick' }, { signal: scene.signal }),
      );
    },
  },
  'a call that waits for a response': { begin: get('held') },
  'a call with a deadline that waits for a response': { begin: get('held', 3_600_000) },
  'a call that receives its response': { begin: get('half') },
  'a call that waits for a retry': { begin: get('later'), ended: 1 },
  'a call that waits after a 429': {
    begin: (scene) =>
      limited(scene, 9).screens.get({ screenId: 'paused' }, { signal: scene.signal }),
    ended: 1,
  },
  'a create that reads its coupon back': {
    begin: (scene) =>
      clientOf(scene, { retry: false }).coupons.create(
        { ...coupon, lead_email: 'a@example.com' },
        { signal: scene.signal },
      ),
    received: 2,
    ended: 1,
  },
  'a list whose reader has a record': {
    begin: async (scene) => {
      const { signal } = scene;
      for await (const _screen of clientOf(scene).screens.list({}, { signal })) {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
    ended: 1,
  },
  'a list that waits for its second page': {
    begin: (scene) => clientOf(scene).screens.list({}, { signal: scene.signal }).all(),
    received: 2,
    ended: 1,
  },
  'a search that reads a screen': {
    begin: (scene) => findAvailableScreens(clientOf(scene), period, { signal: scene.signal }),
    received: 3,
    ended: 1,
  },
  'a watch with a deadline that reads a screen': {
    begin: (scene) => {
      const input = { ...period, change: 'either', share_pct: 3 } as const;
      const options = { signal: scene.signal, deadlineMs: 3_600_000 };
      return watchAvailability(clientOf(scene), input, options);
    },
    received: 3,
    ended: 1,
  },
  'a call of the relay': {
    begin: ({ transport, signal }) =>
      createRelayClient({
        baseUrl: service.origin,
        connectorKey: `rly_${'a'.repeat(43)}.whsec_${'b'.repeat(44)}`,
        transport,
      }).listEvents({}, { signal }),
  },
  'a request that has not begun, of a transport alone,': { begin: send('held'), isBefore: true },
  'a request that waits for its turn, of a transport alone,': {
    begin: ({ transport, signal }) => transport.send({ ...request('scr_1', busy), signal }),
    isQueue: true,
  },
  'a request whose connection is being made, of a transport alone,': {
    begin: ({ transport, signal }) =>
      transport.send({ ...request('held'), url: `${ofMute()}/screens/held`, signal }),
    connecting: 1,
  },
  'a request that waits for a response, of a transport alone,': { begin: send('held') },
  'a request that receives its response, of a transport alone,': { begin: send('half') },
  'a request that receives a refusal, of a transport alone,': { begin: send('gone') },
  'a wait that has not begun, of a clock alone,': {
    begin: ({ transport, signal }) => transport.clock.sleep(3_600_000, signal),
    isBefore: true,
  },
  'a wait, of a clock alone,': {
    begin: ({ transport, signal }) => transport.clock.sleep(3_600_000, signal),
    received: 0,
  },
};

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

const cells = Object.entries(moments).flatMap(([what, moment], first) =>
  Object.entries(transports).flatMap(([over, transport], second) =>
    // A sample has other reasons in each row.
    reasons.map((_, nth) => {
      const [why, reason] = reasons[(nth + first + second) % reasons.length] ?? [];
      return { what, moment, over, transport, why, reason };
    }),
  ),
);

// Jest's own `process` is a copy, which hears of nothing.
const program = process.getBuiltinModule('node:process');
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  program.on(event, note);
  closeAfterFile(() => program.off(event, note));
}
beforeAll(startServers);

const table = cells.filter(({ moment, over }) => !moment.isQueue || over !== 'fetch');

describe('an abort', () => {
  it.each(sampleOf(table, cases(4 * table.length)))(
    'of $what over $over, with $why, is what the caller gets',
    async ({ moment, transport, reason }) => {
      const caller = new AbortController();
      const { signal } = caller;
      if (moment.isBefore) caller.abort(reason);
      const { outcome, sentSince } = await take(moment, { transport, signal, ended: [] });
      caller.abort(reason);
      expect(Object.is(await outcome, reason)).toBe(true);
      await settle();
      expect(sentSince()).toBe(0);
      expect(unhandled).toEqual([]);
    },
  );
});
