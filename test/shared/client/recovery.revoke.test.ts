import { describe, expect, it } from '@jest/globals';
import { rejection, useBench } from '../support/bench.ts';
import type { Step } from '../support/scripted-service.ts';
import { losses, problem, reset } from '../support/steps.ts';

const bench = useBench();

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

  it.each(['redeemed', 'expired'])('was refused for good when the coupon is %s', async (status) => {
    const error = await rejection(revoke([reset, over], [{ body: { code: 'A', status } }]));
    expect(error).toMatchObject({ name: 'ProblemError', status: 400, code: 'invalid_request' });
  });

  it('was refused for good when the coupon does not exist', async () => {
    const error = await rejection(revoke([reset, missing], [missing]));
    expect(error).toMatchObject({ name: 'ProblemError', code: 'not_found' });
  });

  it.each([
    ['active', { status: 'active' }],
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
