import { describe, expect, it } from '@jest/globals';
import type { ClientOptions } from '@screen-advertising/core';
import { backoffMs } from '../../../shared/src/client/rate-limit.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import type { Step } from '../support/scripted-service.ts';
import { problem, reset } from '../support/steps.ts';

const bench = useBench();
const screen = { body: { id: 'scr_1' } };
const gone: Step = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.end('{"id":');
  response.socket?.end();
};

/** Gets a screen from a service that responds in this order, and reports how long it took. */
async function getScreen(...steps: Step[]): Promise<{ value: unknown; tookMs: number }> {
  bench.service.on('GET /screens/scr_1', ...steps);
  const startedAt = bench.clock.now();
  const value = await bench.clock.run(
    bench
      .client()
      .screens.get({ screenId: 'scr_1' })
      .catch((error: unknown) => error),
  );
  return { value, tookMs: bench.clock.now() - startedAt };
}

const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'a@example.com',
} as const;

describe('a GET', () => {
  it.each([
    ['status 408', problem(408)],
    ['status 502', problem(502)],
    ['status 503', problem(503)],
    ['status 504', problem(504)],
    ['status 500', problem(500)],
    ['a connection that is reset', reset],
    ['a response that is cut off', gone],
  ])('is retried after %s', async (_what, failure) => {
    const { value, tookMs } = await getScreen(failure, failure, failure, screen);
    expect(value).toEqual({ id: 'scr_1' });
    expect(bench.service.received).toHaveLength(4);
    expect(tookMs).toBeLessThanOrEqual(500 + 1000 + 2000);
  });

  it.each([400, 401, 403, 404, 405, 409, 410, 422, 501, 505])(
    'is not retried after status %i',
    async (status) => {
      const { value, tookMs } = await getScreen(problem(status));
      expect(value).toMatchObject({ name: 'ProblemError', status });
      expect(bench.service.received).toHaveLength(1);
      expect(tookMs).toBe(0);
    },
  );

  it('is given up after 4 attempts, with the last error', async () => {
    const again = problem(502);
    const { value } = await getScreen(again, again, again, problem(503), screen);
    expect(value).toMatchObject({ status: 503 });
    expect(bench.service.received).toHaveLength(4);
  });
});

describe('a 429', () => {
  it.each([
    ['seconds in the header', problem(429, {}, { 'retry-after': '60' })],
    ['the member retry_after', problem(429, { retry_after: 60 })],
    ['the longer of both', problem(429, { retry_after: 60 }, { 'retry-after': '1' })],
  ])(
    'is waited out as %s says, and at most a fiftieth of a window and the growth of a slot longer',
    async (_what, refusal) => {
      const { value, tookMs } = await getScreen(refusal, screen);
      expect(value).toEqual({ id: 'scr_1' });
      expect(tookMs).toBeGreaterThanOrEqual(60_000);
      expect(tookMs).toBeLessThanOrEqual(61_200 + 50);
    },
  );

  it('costs no attempt', async () => {
    const refusal = problem(429, {}, { 'retry-after': '1' });
    const { value } = await getScreen(...Array.from({ length: 8 }, () => refusal), screen);
    expect(value).toEqual({ id: 'scr_1' });
  });

  it('is waited out even for a change without a code, since nothing was changed', async () => {
    bench.service.on('POST /coupons', problem(429, { retry_after: 5 }), {
      status: 201,
      body: { code: 'BVCC-0001' },
    });
    const made = await bench.clock.run(bench.client().coupons.create(coupon));
    expect(made).toEqual({ code: 'BVCC-0001' });
  });

  it('that asks for more than the budget throws at once and says how long to wait', async () => {
    const { value, tookMs } = await getScreen(problem(429, {}, { 'retry-after': '181' }));
    expect(value).toMatchObject({ code: 'rate_limited', retryAfter: 181, isRetryable: true });
    expect(value).toHaveProperty(
      'message',
      'Get Screen failed: rate limit reached (429). The service says: "What went wrong." Retry in 181 s.',
    );
    expect(tookMs).toBe(0);
  });

  it('throws at once when its total waits exceed the budget', async () => {
    const refusal = problem(429, {}, { 'retry-after': '70' });
    const { value, tookMs } = await getScreen(refusal, refusal, refusal, screen);
    expect(value).toMatchObject({ code: 'rate_limited', retryAfter: 70 });
    expect(Math.floor(tookMs / 10_000)).toBe(14);
  });

  it('holds back every other call of the access for that time', async () => {
    bench.service.on('GET /screens/scr_1', problem(429, { retry_after: 30 }), screen);
    bench.service.on('GET /screens/scr_2', { body: { id: 'scr_2' } });
    const first = bench.client().screens.get({ screenId: 'scr_1' });
    await bench.clock.settle();
    const second = bench.client().screens.get({ screenId: 'scr_2' });
    await bench.clock.advance(29_999);
    expect(bench.service.received).toHaveLength(1);
    // At most a fiftieth of a window longer, and the growth of two slots.
    await bench.clock.advance(1 + 1200 + 100);
    expect(await first).toEqual({ id: 'scr_1' });
    expect(await second).toEqual({ id: 'scr_2' });
  });
});

describe('a call that is refused', () => {
  it.each([
    ['once goes before those that wait since', 1, ['a', 'b', 'a', 'c']],
    ['twice lets the others go first', 2, ['a', 'b', 'a', 'c', 'a']],
  ])('%s', async (_what, times, order) => {
    const refused = Array(times).fill({ status: 429, headers: { 'retry-after': '2' } });
    bench.service.on('GET /screens/a', ...refused, { body: { id: 'a' } });
    for (const id of ['b', 'c']) bench.service.on(`GET /screens/${id}`, { body: { id } });
    const { screens } = bench.client({ rateLimit: { requests: 1, perMs: 1_000 } });
    await bench.clock.run(
      Promise.all(['a', 'b', 'c'].map((screenId) => screens.get({ screenId }))),
    );
    expect(bench.service.received.map(({ path }) => path.split('/').at(-1))).toEqual(order);
  });
});

describe('without retries', () => {
  it.each([
    ['a 429', problem(429, { retry_after: 1 })],
    ['a 503', problem(503)],
    ['a reset', reset],
  ])('%s ends the call at once', async (_what, failure) => {
    bench.service.on('GET /screens/scr_1', failure, screen);
    const client = bench.client({ retry: false });
    await rejection(client.screens.get({ screenId: 'scr_1' }));
    expect(bench.service.received).toHaveLength(1);
  });

  it('and without a limit, a 429 holds back no other call: the limit is enforced elsewhere', async () => {
    bench.service.on('GET /screens/scr_1', problem(429, { retry_after: 60 }), screen);
    const client = bench.client({ retry: false, rateLimit: false });
    await rejection(client.screens.get({ screenId: 'scr_1' }));
    expect(await client.screens.get({ screenId: 'scr_1' })).toEqual({ id: 'scr_1' });
  });
});

describe('the retries of one call', () => {
  it.each<[ClientOptions['retry'], number]>([
    [{ maxWaitMs: 45_000 }, 1],
    [{ maxWaitMs: 60_000 }, 3],
    [false, 3],
  ])('add to those of the client, which are %j', async (retry, requests) => {
    bench.service.on('GET /screens/scr_1', problem(429, { retry_after: 50 }), problem(503));
    const options = { retry: { attempts: 2 } };
    const call = bench.client({ retry }).screens.get({ screenId: 'scr_1' }, options);
    await rejection(bench.clock.run(call));
    expect(bench.service.received).toHaveLength(requests);
  });
});

describe('a change without a way to find out whether it was applied', () => {
  it('is sent once when its response is lost', async () => {
    for (const failure of [reset, problem(503), problem(500), { status: 201, body: '{"co' }]) {
      bench.service.reset();
      bench.service.on('POST /landing-links', failure);
      const error = await rejection(bench.clock.run(bench.client().landingLinks.create({ a: 1 })));
      expect(error).toMatchObject({
        name: 'OutcomeUnknownError',
        isRetryable: false,
        message: expect.stringContaining('so it may have gone through. Retrying may do it twice.'),
      });
      expect(bench.service.received).toHaveLength(1);
    }
  });

  it('is retried when it cannot have been sent', async () => {
    const client = bench.client({ baseUrl: 'http://127.0.0.1:1/api/v1' });
    const error = await rejection(bench.clock.run(client.landingLinks.create({})));
    expect(error).toMatchObject({ name: 'TransportError', sent: 'no' });
    expect(bench.clock.now()).toBeGreaterThan(Date.UTC(2027, 2, 1, 9));
  });
});

describe('backoff', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [6, 16_000],
    [7, 20_000],
    [50, 20_000],
  ])('before attempt %i is anything up to %i ms', (attempt, longest) => {
    const pauses = Array.from({ length: 1000 }, () => backoffMs(attempt));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...pauses)).toBeLessThan(longest * 0.1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(Math.max(...pauses)).toBeGreaterThan(longest * 0.9);
  });
});
