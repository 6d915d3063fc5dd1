import dns from 'node:dns';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type Attempt,
  type Client,
  clientCredentials,
  nodeTransport,
  operations,
  type Transport,
} from '@screen-advertising/core';
import { findAvailableScreens, findNearbyScreens } from '@screen-advertising/core/availability';
import { undiciTransport } from '@screen-advertising/core/undici';
import { closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { useBench } from '../support/bench.ts';
import { rawServer } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { page, problem, reset, silence } from '../support/steps.ts';

const bench = useBench();
const screen = { screenId: 'scr_1' };
const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'a@example.com',
  code: 'A',
} as const;

const notSent =
  'Get Screen was not sent before the deadline of the call. Retry later, or allow more time.';

/** The error that a call rejected with, and how long the call took. */
async function ended(call: Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const startedAt = bench.clock.now();
  const error = await bench.clock.run(rejection(call));
  return { error, tookMs: bench.clock.now() - startedAt };
}

describe('a transport of the caller that never ends', () => {
  const hanging = () => ({ clock: bench.clock, send: () => new Promise<never>(() => undefined) });

  it('ends at the deadline of the call', async () => {
    const client = bench.client({ transport: hanging() });
    const { error, tookMs } = await ended(client.screens.get(screen, { deadlineMs: 1000 }));
    expect(error).toMatchObject({ code: 'timeout', sent: 'maybe', message: late('Get Screen') });
    expect(tookMs).toBe(1000);
  });

  it('ends when the caller cancels the call', async () => {
    const caller = new AbortController();
    const client = bench.client({ transport: hanging() });
    const work = rejection(client.screens.get(screen, { signal: caller.signal }));
    await bench.clock.settle();
    caller.abort('enough');
    expect(await work).toBe('enough');
  });
});

describe('a change without a connection', () => {
  type Send = Transport['send'];
  type Fail = (error: Error) => void;
  const transports = {
    node: () => ({ ...nodeTransport(), close: async () => undefined }),
    undici: () => undiciTransport(),
  };
  /** The base URL of a change, and whether it waits for its connection. */
  const stages = {
    'while a hundred requests have all of them': async (send: Send) => {
      bench.service.on('GET /screens/scr_1', silence);
      const caller = new AbortController();
      const client = bench.client({ transport: { clock: bench.clock, send }, rateLimit: false });
      const options = { signal: caller.signal };
      const others = Array.from({ length: 100 }, () =>
        rejection(client.screens.get(screen, options)),
      );
      await eventually(() => bench.service.held === 100, 'the service holds 100 requests');
      closeAfterTest(() => {
        caller.abort('enough');
        return Promise.all(others);
      });
      return { baseUrl: bench.service.baseUrl, isBegun: () => true };
    },
    'to a name without an address yet': async () => {
      const lookup = jest.spyOn(dns, 'lookup').mockReturnValue(undefined);
      closeAfterTest(() => {
        const { calls } = lookup.mock;
        lookup.mockRestore();
        // Or undici would close after ten seconds.
        for (const given of calls as unknown as [string, object, Fail][]) {
          given[2](new Error('The test is over.'));
        }
      });
      return { baseUrl: 'http://localhost:9/api/v1', isBegun: () => lookup.mock.calls.length > 0 };
    },
    'in a silent TLS handshake': async () => {
      const { port, connections, close } = await rawServer(() => undefined);
      closeAfterTest(close);
      return { baseUrl: `https://127.0.0.1:${port}/api/v1`, isBegun: () => connections() > 0 };
    },
  };
  const cells = Object.entries(transports).flatMap(([name, make]) =>
    Object.entries(stages).map(([stage, open]) => [name, stage, make, open] as const),
  );

  it.each(cells)('over %s, %s, was not sent at the deadline', async (_name, _stage, make, open) => {
    const { send, close } = make();
    closeAfterTest(close);
    const { baseUrl, isBegun } = await open(send);
    let isPassed = false;
    const transport: Transport = {
      clock: bench.clock,
      send: (request) => {
        isPassed = true;
        return send(request);
      },
    };
    const attempts: Attempt[] = [];
    const onAttempt = (one: Attempt) => void attempts.push(one);
    const client = bench.client({ transport, baseUrl, onAttempt, rateLimit: false });
    const work = rejection(client.coupons.create(coupon, { deadlineMs: 400 }));
    await eventually(() => isPassed && isBegun(), 'the change waits for its connection');
    await bench.clock.advance(400);
    expect(await work).toMatchObject({
      name: 'TransportError',
      code: 'timeout',
      sent: 'no',
      attempts: 0,
      message:
        'Create Coupon was not sent before the deadline of the call. Retry later, or allow more time.',
    });
    expect(attempts).toEqual([]);
    expect(bench.service.received.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

/** Begins to wait for something that takes longer than the deadline of the client. */
type Wait = (client: (options?: object) => Client) => Promise<unknown>;
const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
const period = { from: '2027-03-01', to: '2027-03-02' };
const listed = { body: { data: [{ id: 'scr_1' }, { id: 'scr_2' }], pagination: {} } };
const late = (title: string) =>
  `${title} got no complete response before the deadline of the call. Retry later, or allow more time.`;

const waits: readonly (readonly [what: string, Wait, tookMs: number, error: object])[] = [
  [
    'a response',
    (client) => {
      bench.service.on('GET /screens/scr_1', silence);
      return client().screens.get(screen);
    },
    1000,
    { name: 'TransportError', sent: 'maybe', isRetryable: true, message: late('Get Screen') },
  ],
  [
    'a token',
    (client) => {
      bench.service.on('POST /oauth/token', silence);
      return client({ auth }).screens.get(screen);
    },
    1000,
    { code: 'timeout', sent: 'no', message: notSent },
  ],
  [
    'a token that is refused for a minute',
    (client) => {
      bench.service.on('POST /oauth/token', problem(429, {}, { 'retry-after': '60' }));
      return client({ auth }).screens.get(screen);
    },
    0,
    { code: 'rate_limited' },
  ],
  [
    'a slot that only a response in flight can open',
    (client) => {
      bench.service.on('GET /screens/scr_1', silence);
      const { screens } = client({ rateLimit: { requests: 1, perMs: 1000 } });
      void rejection(screens.get(screen));
      return screens.get(screen);
    },
    1000,
    { code: 'timeout', sent: 'no', message: notSent },
  ],
  [
    'a slot that is known to open too late',
    async (client) => {
      bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
      const { screens } = client({ rateLimit: { requests: 1, perMs: 60_000 } });
      await screens.get(screen);
      return screens.get(screen);
    },
    0,
    { name: 'RateLimitWaitError', retryAfter: 61 },
  ],
  [
    'a retry, as a 503 asks',
    (client) => {
      bench.service.on('GET /screens/scr_1', problem(503, {}, { 'retry-after': '1' }));
      return client().screens.get(screen);
    },
    0,
    { name: 'ProblemError', retryAfter: 1 },
  ],
  [
    'the pause that a 429 asks for',
    (client) => {
      bench.service.on('GET /screens/scr_1', problem(429, { retry_after: 1 }));
      return client().screens.get(screen);
    },
    0,
    { name: 'ProblemError', retryAfter: 1 },
  ],
  [
    'a coupon, which may exist',
    (client) => {
      bench.service.on('POST /coupons', silence);
      return client().coupons.create(coupon);
    },
    1000,
    { name: 'OutcomeUnknownError', isRetryable: true },
  ],
  [
    'a coupon to be read back',
    (client) => {
      bench.service.on('POST /coupons', reset);
      bench.service.on('GET /coupons/A', silence);
      return client({ retry: false }).coupons.create(coupon);
    },
    1000,
    { name: 'OutcomeUnknownError' },
  ],
  [
    'a page of a list',
    (client) => {
      bench.service.on('GET /screens', page([{ id: 'scr_1' }], 'c1', true), silence);
      return client().screens.list().all();
    },
    1000,
    { message: late('List Screens') },
  ],
  [
    'the token of a search',
    (client) => {
      bench.service.on('POST /oauth/token', silence);
      return findAvailableScreens(client({ auth, retry: false }), period);
    },
    1000,
    { message: late('Find Available Screens') },
  ],
  [
    'the screens of a search',
    (client) => {
      bench.service.on('GET /screens', listed);
      bench.service.on('GET /screens/scr_1/availability', silence);
      bench.service.on('GET /screens/scr_2/availability', silence);
      return findAvailableScreens(client(), period);
    },
    1000,
    { code: 'timeout' },
  ],
  [
    'a search near a place',
    (client) => {
      bench.service.on('GET /screens', silence);
      return findNearbyScreens(client(), { near: '52.52, 13.405' });
    },
    1000,
    { code: 'timeout' },
  ],
];

describe('the deadline of a client ends a wait, at once if it is known to be too long, for', () => {
  it.each(waits)('%s', async (_what, wait, tookMs, error) => {
    const make = (options = {}) => bench.client({ deadlineMs: 1000, ...options });
    const seen = await ended(wait(make));
    expect(seen).toEqual({ error: expect.objectContaining(error), tookMs });
    await eventually(() => bench.service.held === 0, 'the service holds no request');
  });

  it('a search, which returns what was read until then, if it is asked to', async () => {
    bench.service.on('GET /screens', listed);
    const availability = { available_sov_pct: 30, price_per_day_cents: 100 };
    bench.service.on('GET /screens/scr_1/availability', {
      body: { screen_id: 'scr_1', ...availability },
    });
    bench.service.on('GET /screens/scr_2/availability', silence);
    const until = new AbortController();
    const work = findAvailableScreens(bench.client(), period, { until: until.signal });
    await eventually(() => bench.service.received.length === 3, 'both screens are read');
    await bench.clock.settle();
    until.abort('time is up');
    expect(await work).toMatchObject({ screens: [{ screen_id: 'scr_1' }], isWhole: false });
  });
});

describe('the deadline of a list', () => {
  beforeEach(() => {
    bench.service.on('GET /screens', (response, service) => {
      const nth = service.received.length;
      service.hold(response);
      const answer = page([{ id: `scr_${nth}` }], `c${nth}`, nth < 5);
      void bench.clock.sleep(400).then(() => service.release(response, answer));
    });
  });

  it('is one for all of its pages', async () => {
    const all = bench.client().pages(operations['screen.list'], {}, { deadlineMs: 1000 });
    const ids: unknown[] = [];
    const work = (async () => {
      for await (const { data } of all) ids.push(...data.map(({ id }) => id));
    })();
    const { error, tookMs } = await ended(work);
    expect([error, tookMs]).toMatchObject([{ message: late('List Screens') }, 1000]);
    // The service's own time.
    await bench.clock.advance(400);
    expect(ids).toEqual(['scr_1', 'scr_2']);
  });

  it('sends no page once it is over, and a whole list within it is complete', async () => {
    const all = bench.client().pages(operations['screen.list'], {}, { deadlineMs: 1000 });
    await bench.clock.run(all.next());
    await bench.clock.advance(1000);
    expect(await rejection(all.next())).toMatchObject({ sent: 'no', code: 'timeout' });
    expect(bench.service.received).toHaveLength(1);
    const whole = bench.client({ deadlineMs: 60_000 }).screens.list().all();
    expect(await bench.clock.run(whole)).toHaveLength(4);
  });
});
