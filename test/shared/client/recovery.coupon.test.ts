import { describe, expect, it } from '@jest/globals';
import { type ClientOptions, OutcomeUnknownError } from '@screen-advertising/core';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import type { ScriptedResponse, Step } from '../support/scripted-service.ts';
import { problem, reset, silence } from '../support/steps.ts';

const bench = useBench();

/** The ways to lose a response after a change was made, or was not. */
const losses: readonly [string, Step][] = [
  ['a reset', reset],
  ['status 503', problem(503)],
  ['status 408', problem(408)],
];

/** The same, where a retry would not help. */
const finalLosses: readonly [string, Step][] = [
  ['status 500', problem(500)],
  ['an unreadable response', { status: 201, body: '{"code":' }],
  ['an empty response', { status: 201, body: '' }],
  ['a status below 100', (response) => response.socket?.end('HTTP/1.1 099 Odd\r\n\r\n')],
];

const wanted = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'Lead@Example.com',
  code: 'SPRING+25',
} as const;
const record = { ...wanted, lead_email: 'lead@example.com', status: 'active', max_redemptions: 1 };
const made: ScriptedResponse = { status: 201, body: record };
const found: ScriptedResponse = { body: record };
const missing = problem(404, { detail: 'No such coupon.' });
const taken = problem(409, { detail: 'The code is taken.' });

/** Creates the coupon at a service that responds to creations and readings in these orders. */
async function create(creations: Step[], readings: Step[], options = {}): Promise<unknown> {
  bench.service.on('POST /coupons', ...creations);
  bench.service.on('GET /coupons/SPRING%2B25', ...readings);
  const { retry, ...call } = { retry: {}, ...options } as { retry: false | object };
  return bench.clock.run(bench.client({ retry }).coupons.create(wanted, call));
}

const routes = (): string[] =>
  bench.service.received.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
const post = 'POST /coupons';
const read = 'GET /coupons/SPRING+25';

describe('Create Coupon with a code, when the response is lost', () => {
  it.each(losses)('by %s: the second attempt creates it, or meets it', async (_what, loss) => {
    expect(await create([loss, made], [])).toEqual(record);
    expect(routes()).toEqual([post, post]);
    bench.service.received = [];
    expect(await create([loss, taken], [found])).toEqual(record);
    expect(routes()).toEqual([post, post, read]);
  });

  it('in every attempt: reading it back shows that it exists', async () => {
    expect(await create([reset], [found])).toEqual(record);
    expect(routes()).toEqual([post, post, post, post, read]);
  });

  it.each(finalLosses)('by %s: it is read back at once', async (_what, loss) => {
    expect(await create([loss], [found])).toEqual(record);
    expect(routes()).toEqual([post, read]);
  });

  it.each([
    ['nothing but its lead', { lead_email: wanted.lead_email }],
    ['values as texts', { ...record, discount_value: '25.00', max_redemptions: '1' }],
    ['unknown fields', { ...record, new_field: 1, lead_metadata: null }],
  ])('recognizes its own coupon in a record with %s', async (_what, body) => {
    expect(await create([reset, taken], [{ body }])).toEqual(body);
  });
});

describe('Create Coupon with a code, when the existing coupon is a different one', () => {
  it.each([
    ['of another lead', { ...record, lead_email: 'other@example.com' }],
    ['of another value', { ...record, discount_value: 26 }],
    ['of another type', { ...record, discount_type: 'free_days' }],
    ['that was revoked before', { ...record, status: 'revoked' }],
    ['that was redeemed before', { ...record, status: 'Redeemed' }],
    ['that has expired', { ...record, status: 'expired' }],
  ])('%s: the conflict is real', async (_what, body) => {
    expect(await rejection(create([reset, taken], [{ body }]))).toMatchObject({
      name: 'ProblemError',
      code: 'conflict',
      message:
        'Create Coupon failed because of a conflict (409). The service says: "The code is taken."',
    });
  });

  it('and none exists with this code: the lead has another one, so the conflict is real', async () => {
    expect(await rejection(create([reset, taken], [missing]))).toMatchObject({ code: 'conflict' });
  });
});

describe('Create Coupon with a code, when the outcome stays unknown', () => {
  const remedy =
    'so the coupon SPRING+25 may exist. Retrying with the same code is safe: it cannot be created twice.';

  it.each<[string, Step]>([
    ['is not found', missing],
    ['cannot be read', problem(403)],
    ['gets no response either', reset],
  ])('because the coupon %s: the error says that it may exist', async (_what, reading) => {
    const error = await rejection(create([problem(500, { detail: 'Oh no.' })], [reading]));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      status: 500,
      isRetryable: true,
      cause: { name: 'ProblemError', status: 500 },
      message: `Create Coupon got no clear response, ${remedy} Cause: Create Coupon failed: the service reported an error (500). The service says: "Oh no." Retry in a few minutes.`,
    });
  });

  it('because the conflict cannot be checked', async () => {
    expect(await rejection(create([reset, taken], [problem(403)]))).toMatchObject({
      code: 'outcome_unknown',
      isRetryable: true,
    });
  });

  it.each([
    ['hides its lead', { ...record, lead_email: undefined }],
    ['has no lead', { ...record, lead_email: null }],
  ])('because the existing coupon %s', async (_what, body) => {
    const error = await rejection(create([reset, taken], [{ body }]));
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      isRetryable: true,
      message: expect.stringContaining(remedy),
    });
  });

  it('because a later attempt is refused: the first one may have gone through', async () => {
    const error = await rejection(create([reset, problem(403)], [missing]));
    expect(error).toMatchObject({ code: 'outcome_unknown', status: 403 });
  });
});

describe('Create Coupon with a code, when nothing is lost', () => {
  it('a conflict on the first attempt is real, and nothing is read', async () => {
    expect(await rejection(create([taken], [found]))).toMatchObject({ code: 'conflict' });
    expect(routes()).toEqual([post]);
  });

  it('a conflict after a 429 or a refused connection is real too', async () => {
    const error = await rejection(create([problem(429, { retry_after: 1 }), taken], [found]));
    expect(error).toMatchObject({ code: 'conflict' });
    expect(routes()).toEqual([post, post]);
  });
});

describe('adoptExisting, for automations that run again', () => {
  it("returns the caller's existing coupon", async () => {
    expect(await create([taken], [found], { adoptExisting: true })).toEqual(record);
    expect(routes()).toEqual([post, read]);
  });

  it("returns the caller's coupon even if the lead has redeemed it since", async () => {
    const redeemed = { ...record, status: 'redeemed' };
    expect(await create([taken], [{ body: redeemed }], { adoptExisting: true })).toEqual(redeemed);
  });

  it('does not return a redeemed one when lost responses are the only evidence for it', async () => {
    const redeemed = { ...record, status: 'redeemed' };
    const run = create([reset], [{ body: redeemed }], { adoptExisting: true });
    expect(await rejection(run)).toMatchObject({ code: 'outcome_unknown' });
  });

  it.each<[string, ScriptedResponse]>([
    ['that was revoked', { body: { ...record, status: 'revoked' } }],
    ['that has expired', { body: { ...record, status: 'expired' } }],
    ['of another lead', { body: { ...record, lead_email: 'other@example.com' } }],
    ['that is not there', missing],
    ['that cannot be read', problem(403)],
  ])('does not return one %s: the conflict is thrown', async (_what, reading) => {
    const error = await rejection(create([taken], [reading], { adoptExisting: true }));
    expect(error).toMatchObject({ code: 'conflict', status: 409 });
  });

  it.each<[string, Step, object]>([
    [
      'the limit of requests',
      problem(429, { retry_after: 7 }),
      { code: 'rate_limited', retryAfter: 7, message: expect.stringMatching(/^Get Coupon /) },
    ],
    [
      'an error of the service',
      problem(503, { detail: 'Down.' }),
      {
        code: 'service_error',
        message:
          'Get Coupon failed: the service reported an error (503). The service says: "Down." Retry in a few minutes.',
      },
    ],
    ['a lost connection', reset, { code: 'network_error' }],
  ])('throws no conflict when %s kept it from being read', async (_what, reading, expected) => {
    const run = create([taken], [reading], { adoptExisting: true, retry: false });
    expect(await rejection(run)).toMatchObject({ ...expected, isRetryable: true });
    expect(routes()).toEqual([post, read]);
  });
});

describe('Create Coupon without a code, when the response is lost', () => {
  const withoutCode = {
    discount_type: 'percent',
    discount_value: 25,
    lead_email: 'Lead@Example.com',
  } as const;
  const given = { ...withoutCode, lead_email: 'lead@example.com', code: 'BVCC-1A2B' };
  const created: ScriptedResponse = { status: 201, body: given };
  const hasCoupon = problem(409, { detail: 'The lead has an active coupon.' });

  async function createWithout(steps: Step[], options: Partial<ClientOptions> = {}) {
    bench.service.on('POST /coupons', ...steps);
    return bench.clock.run(bench.client(options).coupons.create(withoutCode));
  }

  const everyLoss = [...losses, ...finalLosses];

  it.each(everyLoss)('by %s before it was created: it is sent again', async (_what, loss) => {
    expect(await createWithout([loss, created])).toEqual(given);
    expect(routes()).toEqual([post, post]);
  });

  it.each(everyLoss)(
    'by %s after it was created: the error explains the conflict',
    async (_what, loss) => {
      expect(await rejection(createWithout([loss, hasCoupon]))).toMatchObject({
        name: 'OutcomeUnknownError',
        code: 'outcome_unknown',
        status: 409,
        isRetryable: false,
        message:
          'Create Coupon got no clear response, but the lead has an active coupon: this one or an earlier one. Ask the Screen Advertising team for its code and discount; if you set your own code, lost responses are repaired automatically. Cause: Create Coupon failed because of a conflict (409). The service says: "The lead has an active coupon."',
      });
      expect(routes()).toEqual([post, post]);
    },
  );

  it.each<[ClientOptions['retry']]>([[false], [{ attempts: 1 }]])(
    'with retry %j: it is sent once, and the coupon may exist',
    async (retry) => {
      expect(await rejection(createWithout([reset, created], { retry }))).toMatchObject({
        code: 'outcome_unknown',
        isRetryable: true,
        attempts: 1,
      });
      expect(routes()).toEqual([post]);
    },
  );

  it('where no wait is allowed: it is sent again at once', async () => {
    const retry = { attempts: 2, maxWaitMs: 0 };
    expect(await createWithout([problem(503), created], { retry })).toEqual(given);
    expect(routes()).toEqual([post, post]);
  });

  it('in every attempt: the error says that the coupon may exist, and what is safe', async () => {
    const { host } = new URL(bench.service.baseUrl);
    expect(await rejection(createWithout([reset]))).toMatchObject({
      code: 'outcome_unknown',
      isRetryable: true,
      message: `Create Coupon got no clear response, so the coupon may exist. Retrying is safe: a lead can have only one active coupon from you, so no second one is created. Cause: The connection to ${host} broke before the response was complete (ECONNRESET). Retry.`,
    });
    expect(routes()).toEqual([post, post, post, post]);
  });

  it('and the service then asks to wait: it is sent again after that', async () => {
    const wait = problem(429, { retry_after: 7 });
    expect(await createWithout([problem(500), wait, created])).toEqual(given);
    expect(routes()).toEqual([post, post, post]);
  });

  it('and no time is left: nothing is sent again', async () => {
    bench.service.on('POST /coupons', silence);
    const create = bench.client().coupons.create(withoutCode, { deadlineMs: 1000 });
    const error = await rejection(bench.clock.run(create));
    expect(error).toMatchObject({ code: 'outcome_unknown', isRetryable: true });
    expect(String(error)).toContain('Cause: Create Coupon got no complete response');
    expect(routes()).toEqual([post]);
  });

  it('a conflict without a lost response is real', async () => {
    expect(await rejection(createWithout([hasCoupon]))).toMatchObject({ code: 'conflict' });
    const refused = problem(429, { retry_after: 1 });
    expect(await rejection(createWithout([refused, hasCoupon]))).toMatchObject({
      code: 'conflict',
    });
  });
});

describe('Revoke Coupon', () => {
  const revoked = { code: 'A', status: 'revoked' };
  const missing = problem(404, { detail: 'No such coupon.' });
  const over = problem(400, { detail: 'The coupon is no longer active.' });

  async function revoke(revocations: Step[], readings: Step[]): Promise<unknown> {
    bench.service.on('POST /coupons/A/revoke', ...revocations);
    bench.service.on('GET /coupons/A', ...readings);
    return bench.clock.run(bench.client().coupons.revoke({ code: 'A' }));
  }

  it.each(losses)('is sent again after %s', async (_what, loss) => {
    expect(await revoke([loss, { body: revoked }], [])).toEqual(revoked);
  });

  it('counts as done when the second attempt finds it done', async () => {
    expect(await revoke([reset, over], [{ body: revoked }])).toEqual(revoked);
    expect(
      await revoke([reset, over], [{ body: { ...revoked, status: 'REVOKED' } }]),
    ).toMatchObject({
      code: 'A',
    });
  });

  it('counts as done when every response is lost but the coupon is revoked', async () => {
    expect(await revoke([reset], [{ body: revoked }])).toEqual(revoked);
  });

  it.each(['redeemed', 'expired', 'active'])(
    'was refused for good when the coupon is %s',
    async (status) => {
      const error = await rejection(revoke([reset, over], [{ body: { code: 'A', status } }]));
      expect(error).toMatchObject({ name: 'ProblemError', status: 400, code: 'invalid_request' });
    },
  );

  it('was refused for good when the coupon does not exist', async () => {
    const error = await rejection(revoke([reset, missing], [missing]));
    expect(error).toMatchObject({ name: 'ProblemError', code: 'not_found' });
  });

  it.each([
    ['in an unknown state', { status: 'unused' }],
    ['without a state', {}],
  ])('has an unknown outcome when the coupon is %s', async (_what, state) => {
    const error = await rejection(revoke([reset, over], [{ body: { code: 'A', ...state } }]));
    expect(error).toMatchObject({ code: 'outcome_unknown', isRetryable: true });
    expect((error as Error).message).toContain(
      'so the coupon A may be revoked. Get the coupon to check its status, or revoke it again: both are safe.',
    );
  });

  it('is refused for good by a 400 on the first attempt', async () => {
    expect(await rejection(revoke([over], []))).toMatchObject({
      status: 400,
      message:
        'Revoke Coupon failed: the service rejected the request (400). The service says: "The coupon is no longer active." Check the fields you sent.',
    });
    expect(bench.service.received).toHaveLength(1);
  });
});
