import dns from 'node:dns';
import { fc, it as property } from '@fast-check/jest';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type Attempt,
  type Client,
  clientCredentials,
  nodeTransport,
  operations,
  ScreenAdvertisingError,
  type Transport,
} from '@screen-advertising/core';
import { findAvailableScreens, findNearbyScreens } from '@screen-advertising/core/availability';
import { undiciTransport } from '@screen-advertising/core/undici';
import { closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { seed } from '../../support/tier.ts';
import { useBench } from '../support/bench.ts';
import { rawServer } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import type { Step } from '../support/scripted-service.ts';
import { page, problem, reset, silence } from '../support/steps.ts';

const bench = useBench();
const screen = { screenId: 'scr_1' };
const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'a@example.com',
  code: 'A',
} as const;

const sent =
  'Get Screen got no complete response before the deadline of the call. Retry later, or allow more time.';
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
    expect(error).toMatchObject({ code: 'timeout', sent: 'maybe', message: sent });
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

describe("a change that waits in the transport's queue", () => {
  it.each([
    ['node', () => nodeTransport()],
    ['undici', () => undiciTransport()],
  ] as const)('was not sent when the deadline comes: %s', async (_name, make) => {
    bench.service.on('GET /screens/scr_1', ...Array.from({ length: 100 }, () => silence));
    const sender = make();
    let waiting = 0;
    const transport: Transport = {
      clock: bench.clock,
      send: (request) => {
        waiting += 1;
        return sender.send(request);
      },
    };
    const attempts: Attempt[] = [];
    const onAttempt = (one: Attempt) => void attempts.push(one);
    const client = bench.client({ transport, onAttempt, rateLimit: false });
    const caller = new AbortController();
    const { signal } = caller;
    const others = Array.from({ length: 100 }, () =>
      rejection(client.screens.get(screen, { signal })),
    );
    await eventually(() => bench.service.held === 100, 'the service holds 100 requests');
    const work = rejection(client.coupons.create(coupon, { deadlineMs: 400 }));
    await eventually(() => waiting === 101, 'the change waits');
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
    caller.abort('enough');
    expect(new Set(await Promise.all(others))).toEqual(new Set(['enough']));
    expect(bench.service.received.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('a change whose connection is being made', () => {
  const transports = {
    node: () => ({ ...nodeTransport(), close: async () => undefined }),
    undici: () => undiciTransport(),
  };
  type Fail = (error: Error) => void;
  /** A base URL to which no connection is ever made, and whether one is being made. */
  const stages = {
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
      return {
        baseUrl: `https://127.0.0.1:${port}/api/v1`,
        isBegun: () => connections() > 0,
      };
    },
  };
  const cells = Object.entries(transports).flatMap(([name, make]) =>
    Object.entries(stages).map(([stage, open]) => [name, stage, make, open] as const),
  );

  it.each(cells)('over %s, %s, was not sent at the deadline', async (_name, _stage, make, open) => {
    const { send, close } = make();
    closeAfterTest(close);
    const { baseUrl, isBegun } = await open();
    const attempts: Attempt[] = [];
    const onAttempt = (one: Attempt) => void attempts.push(one);
    const client = bench.client({ transport: { clock: bench.clock, send }, baseUrl, onAttempt });
    const work = rejection(client.coupons.create(coupon, { deadlineMs: 400 }));
    await eventually(isBegun, 'the connection is begun');
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
  });

  it.each(cells)('over %s, %s, ends with any reason', async (_name, _stage, make, open) => {
    const { send, close } = make();
    closeAfterTest(close);
    const { baseUrl: url, isBegun } = await open();
    const caller = new AbortController();
    const { signal } = caller;
    const unsent = jest.fn();
    const request = { method: 'POST', url, headers: {}, body: '{}', timeoutMs: 5000 } as const;
    const work = rejection(send({ ...request, signal, onUnsent: unsent }));
    await eventually(isBegun, 'the connection is begun');
    caller.abort(null);
    expect(await work).toBe(null);
    expect(unsent).toHaveBeenCalledTimes(1);
  });
});

describe('the deadline of several calls', () => {
  it('does not count as a failure of the token that one of them waits for', async () => {
    bench.service.on('POST /oauth/token', silence);
    const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
    const period = { from: '2027-03-01', to: '2027-03-02' };
    const client = bench.client({ auth, retry: false });
    const search = findAvailableScreens(client, period, { deadlineMs: 1000 });
    const { error, tookMs } = await ended(search);
    expect(error).toMatchObject({
      code: 'timeout',
      message:
        'Find Available Screens got no complete response before the deadline of the call. Retry later, or allow more time.',
    });
    expect(tookMs).toBe(1000);
  });
});

describe('the deadline of a call', () => {
  it('ends a request in flight, and closes its connection', async () => {
    bench.service.on('GET /screens/scr_1', silence);
    const { error, tookMs } = await ended(bench.client().screens.get(screen, { deadlineMs: 1000 }));
    expect(error).toMatchObject({
      name: 'TransportError',
      code: 'timeout',
      sent: 'maybe',
      isRetryable: true,
      message: sent,
    });
    expect(tookMs).toBe(1000);
    await eventually(() => bench.service.held === 0, 'the service holds no request');
  });

  it('ends the wait for a token', async () => {
    bench.service.on('POST /oauth/token', silence);
    const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
    const call = bench.client({ auth }).screens.get(screen, { deadlineMs: 1000 });
    const { error, tookMs } = await ended(call);
    expect(error).toMatchObject({ code: 'timeout', sent: 'no', message: notSent });
    expect(tookMs).toBe(1000);
    await eventually(() => bench.service.held === 0, 'the service holds no request');
  });

  it('ends the wait for a slot that only a response in flight can open', async () => {
    bench.service.on('GET /screens/scr_1', silence);
    const client = bench.client({ rateLimit: { requests: 1, perMs: 1000 } });
    const holder = new AbortController();
    const first = rejection(client.screens.get(screen, { signal: holder.signal }));
    await bench.clock.settle();
    const { error, tookMs } = await ended(client.screens.get(screen, { deadlineMs: 500 }));
    expect(error).toMatchObject({ code: 'timeout', sent: 'no', message: notSent });
    expect(tookMs).toBe(500);
    holder.abort();
    await first;
  });

  it('refuses at once to wait for a slot that is known to open too late', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    const client = bench.client({ rateLimit: { requests: 1, perMs: 60_000 } });
    await client.screens.get(screen);
    const { error, tookMs } = await ended(client.screens.get(screen, { deadlineMs: 30_000 }));
    expect(error).toMatchObject({ name: 'RateLimitWaitError', retryAfter: 61 });
    expect(tookMs).toBe(0);
  });

  it.each([
    ['a 503 with Retry-After', problem(503, {}, { 'retry-after': '5' })],
    ['a 429', problem(429, { retry_after: 5 })],
  ])('refuses at once a wait beyond it, as requested by %s', async (_what, failure) => {
    bench.service.on('GET /screens/scr_1', failure);
    const { error, tookMs } = await ended(bench.client().screens.get(screen, { deadlineMs: 5000 }));
    expect(error).toMatchObject({ name: 'ProblemError', retryAfter: 5 });
    expect(tookMs).toBe(0);
  });

  it('leaves no time to read back a coupon after a lost response: it may exist', async () => {
    bench.service.on('POST /coupons', silence);
    const { error, tookMs } = await ended(
      bench.client().coupons.create(coupon, { deadlineMs: 1000 }),
    );
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', isRetryable: true });
    expect(tookMs).toBe(1000);
    expect(bench.service.received).toHaveLength(1);
  });

  describe('of a list', () => {
    beforeEach(() => {
      bench.service.on('GET /screens', (response, service) => {
        const nth = service.received.length;
        service.hold(response);
        const answer = page([{ id: `scr_${nth}` }], `c${nth}`, nth < 5);
        void bench.clock.sleep(400).then(() => service.release(response, answer));
      });
    });
    const message =
      'List Screens got no complete response before the deadline of the call. Retry later, or allow more time.';

    it('is one for all of its pages', async () => {
      const all = bench.client().pages(operations['screen.list'], {}, { deadlineMs: 1000 });
      const ids: unknown[] = [];
      const work = (async () => {
        for await (const { data } of all) ids.push(...data.map(({ id }) => id));
      })();
      const { error, tookMs } = await ended(work);
      expect([error, tookMs]).toEqual([expect.objectContaining({ message }), 1000]);
      // The service's own time.
      await bench.clock.advance(400);
      expect(ids).toEqual(['scr_1', 'scr_2']);
    });

    it('is that of the client, also for a loop over its records', async () => {
      const work = bench.client({ deadlineMs: 1000 }).screens.list().all();
      const { error, tookMs } = await ended(work);
      expect([error, tookMs]).toEqual([expect.objectContaining({ message }), 1000]);
      // The service's own time.
      await bench.clock.advance(400);
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

  const trouble = fc.constantFrom<Step>(
    reset,
    silence,
    problem(503),
    problem(503, {}, { 'retry-after': '2' }),
    problem(429),
    problem(429, { retry_after: 1 }),
    problem(502, {}, { 'retry-after': '100' }),
  );

  property.prop(
    [fc.array(trouble, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 8000 })],
    { numRuns: 60, seed },
  )('is never exceeded, whatever happens', async (steps, deadlineMs) => {
    bench.begin();
    bench.service.on('POST /coupons', ...steps);
    bench.service.on('GET /coupons/A', ...steps.toReversed());
    const { error, tookMs } = await ended(bench.client().coupons.create(coupon, { deadlineMs }));
    expect(ScreenAdvertisingError.isInstance(error)).toBe(true);
    expect(tookMs).toBeLessThanOrEqual(deadlineMs);
    expect(bench.clock.sleeping).toBe(0);
  });
});

describe('the deadline of a client bounds each kind of wait', () => {
  const period = { from: '2027-03-01', to: '2027-03-02' };
  const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
  const listed = { body: { data: [{ id: 'scr_1' }, { id: 'scr_2' }], pagination: {} } };
  type Wait = (client: (options?: object) => Client) => Promise<unknown>;
  const waits: Readonly<Record<string, Wait>> = {
    'a token': (client) => {
      bench.service.on('POST /oauth/token', silence);
      return client({ auth }).screens.get(screen);
    },
    'a token that is refused for a minute': (client) => {
      bench.service.on('POST /oauth/token', problem(429, {}, { 'retry-after': '60' }));
      return client({ auth }).screens.get(screen);
    },
    'a response': (client) => {
      bench.service.on('GET /screens/scr_1', silence);
      return client().screens.get(screen);
    },
    'a retry': (client) => {
      bench.service.on('GET /screens/scr_1', problem(503, {}, { 'retry-after': '30' }));
      return client().screens.get(screen);
    },
    'the pause after a 429': (client) => {
      bench.service.on('GET /screens/scr_1', problem(429, {}, { 'retry-after': '30' }));
      return client().screens.get(screen);
    },
    'the own rate limit': async (client) => {
      bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
      const limited = client({ rateLimit: { requests: 1, perMs: 60_000 } });
      await limited.screens.get(screen);
      return limited.screens.get(screen);
    },
    'a coupon to be read back': (client) => {
      bench.service.on('POST /coupons', reset);
      bench.service.on('GET /coupons/A', silence);
      return client({ retry: false }).coupons.create(coupon);
    },
    'a page of a list': (client) => {
      bench.service.on('GET /screens', page([{ id: 'scr_1' }], 'c1', true), silence);
      return client().screens.list().all();
    },
    'the list of a search': (client) => {
      bench.service.on('GET /screens', silence);
      return findAvailableScreens(client(), period);
    },
    'the screens of a search': (client) => {
      bench.service.on('GET /screens', listed);
      bench.service.on('GET /screens/scr_1/availability', silence);
      bench.service.on('GET /screens/scr_2/availability', silence);
      return findAvailableScreens(client(), period);
    },
    'a search near a place': (client) => {
      bench.service.on('GET /screens', silence);
      return findNearbyScreens(client(), { near: '52.52, 13.405' });
    },
  };

  it.each(Object.entries(waits))('%s', async (_what, wait) => {
    const startedAt = bench.clock.now();
    const make = (options = {}) => bench.client({ deadlineMs: 1000, ...options });
    const { error } = await ended(wait(make));
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(timeout|rate_limited|service_error|outcome_unknown)$/),
    });
    expect(bench.clock.now() - startedAt).toBeLessThanOrEqual(1000);
  });

  it('a search returns what was read until then, if it is asked to', async () => {
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
