import { describe, expect, it } from '@jest/globals';
import type { ClientOptions } from '@screen-advertising/core';
import { rejection, useBench } from '../support/bench.ts';
import type { ScriptedResponse, Step } from '../support/scripted-service.ts';
import { losses, problem, reset, silence } from '../support/steps.ts';

const bench = useBench();

const routes = (): string[] =>
  bench.service.received.map(({ method, path }) => `${method} ${path}`);
const post = 'POST /coupons';

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

  const everyLoss: [string, Step][] = [
    ...losses,
    ['status 500', problem(500)],
    ['an unreadable response', { status: 201, body: '{"code":' }],
    ['an empty response', { status: 201, body: '' }],
  ];

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
