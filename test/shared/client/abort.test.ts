import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type CallOptions, type Client, clientCredentials } from '@screen-advertising/core';
import { findAvailableScreens, watchAvailability } from '@screen-advertising/core/availability';
import { eventually } from '../../support/eventually.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { page, problem, silence, token } from '../support/steps.ts';

const bench = useBench();
const screen = { screenId: 'scr_1' };
const auth = () => clientCredentials({ clientId: 'id', clientSecret: 'secret' });

/** Brings a call to the moment in question, and returns its promise. */
type Moment = (client: Client, options: CallOptions) => Promise<unknown>;

const moments: readonly [string, Moment][] = [
  [
    'waits for a slot',
    async (client, options) => {
      bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
      await client.screens.get(screen);
      return client.screens.get(screen, options);
    },
  ],
  [
    'waits for a token',
    (client, options) => {
      bench.service.on('POST /oauth/token', silence);
      return client.screens.get(screen, options);
    },
  ],
  [
    'waits for a retry',
    (client, options) => {
      bench.service.on('GET /screens/scr_1', problem(503, {}, { 'retry-after': '30' }));
      return client.screens.get(screen, options);
    },
  ],
  [
    'waits to read its coupon back',
    (client, options) => {
      const coupon = { discount_type: 'percent', discount_value: 25, code: 'A' } as const;
      bench.service.on('POST /coupons', problem(500));
      return client.coupons.create({ ...coupon, lead_email: 'a@example.com' }, options);
    },
  ],
  [
    'is receiving its response',
    (client, options) => {
      bench.service.on('GET /screens/scr_1', (response, service) => {
        service.hold(response);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
      });
      return client.screens.get(screen, options);
    },
  ],
];

/** What a program may pass to `abort`. */
const reasons: readonly (readonly [what: string, reason: unknown])[] = [
  ['an error', new Error('The caller has left.')],
  ['null', null],
  ['a broken connection', Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' })],
];

describe.each([
  ['', {}],
  [' and has a deadline', { deadlineMs: 3_600_000 }],
])('an abort%s', (_with, options) => {
  it.each(
    moments.flatMap(([what, begin]) =>
      reasons.map(([why, reason]) => [what, why, begin, reason] as const),
    ),
  )(
    'while a call %s rejects with its reason, %s, and leaves nothing behind',
    async (_what, _why, begin, reason) => {
      bench.service.on('POST /oauth/token', token('t1'));
      // With one slot and one token for all, whatever an abort leaves behind holds up the next call.
      const client = bench.client({ auth: auth(), rateLimit: { requests: 1, perMs: 60_000 } });
      const caller = new AbortController();
      const outcome = rejection(begin(client, { signal: caller.signal, ...options }));
      await bench.clock.settle();
      expect(getEventListeners(caller.signal, 'abort').length).toBeGreaterThan(0);

      caller.abort(reason);

      expect(await outcome).toBe(reason);
      expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
      expect(bench.clock.sleeping).toBe(0);
      await eventually(() => bench.service.held === 0, 'the service holds no request');
      bench.service.on('POST /oauth/token', token('t2'));
      bench.service.on('GET /screens/scr_2', { body: { id: 'scr_2' } });
      const next = client.screens.get({ screenId: 'scr_2' });
      expect(await bench.clock.run(next)).toEqual({ id: 'scr_2' });
    },
  );
});

describe('an abort of several requests', () => {
  const period = { from: '2027-03-01', to: '2027-03-02' };
  const works: readonly (readonly [string, Moment])[] = [
    ['a list', (client, options) => client.screens.list({}, options).all()],
    ['a search', (client, options) => findAvailableScreens(client, period, options)],
    [
      'a watch with a deadline',
      (client, options) =>
        watchAvailability(
          client,
          { ...period, change: 'either', share_pct: 3 },
          { ...options, deadlineMs: 3_600_000 },
        ),
    ],
  ];

  it.each(
    works.flatMap(([what, work]) =>
      reasons.map(([why, reason]) => [what, why, work, reason] as const),
    ),
  )('%s rejects with its reason, %s', async (_what, _why, work, reason) => {
    bench.service.on('GET /screens', page([{ id: 'scr_1' }], 'c1', true), silence);
    bench.service.on('GET /screens/scr_1/availability', silence);
    const caller = new AbortController();
    const outcome = rejection(work(bench.client(), { signal: caller.signal }));
    await bench.clock.settle();
    expect(bench.service.held).toBeGreaterThan(0);
    caller.abort(reason);
    expect(await outcome).toBe(reason);
    await eventually(() => bench.service.held === 0, 'the service holds no request');
  });
});

describe('a signal', () => {
  it('that is already aborted sends nothing, and skips even the check of the input', async () => {
    const call = bench.client().screens.get({} as never, { signal: AbortSignal.abort('enough') });
    expect(await rejection(call)).toBe('enough');
    expect(bench.service.received).toEqual([]);
  });

  it('that never aborts has no listener after the call', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    const { signal } = new AbortController();
    await bench.client().screens.get(screen, { signal });
    await bench.client().screens.get(screen, { signal, deadlineMs: 1000 });
    bench.service.on('POST /oauth/token', token('t1'));
    await bench.client({ auth: auth() }).screens.get(screen, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
