import { describe, expect, it } from '@jest/globals';
import { sampled } from '../../support/tier.ts';
import {
  createCoupon,
  createLandingLink,
  newCoupon,
  reads,
  revokeCoupon,
  selfContained,
} from '../app/actions.ts';
import { lost, said, status, unreadable } from '../app/fault.ts';
import { useActions } from '../app/use-actions.ts';

const { service, zapier, struck } = useActions();

describe.each(sampled(reads))('$name', (action) => {
  it.each([500, 502, 503, 504])('fails on %i, and can be replayed', async (code) => {
    expect(await struck(status(code), action)).toMatchObject({
      name: 'AppError',
      status: code,
      message: `${action.label} failed because the service reported an error (${code}). ${said} Replay the step later.`,
    });
  });

  it('fails when the connection breaks, and can be replayed', async () => {
    const { host } = new URL(service().baseUrl);
    expect(await struck({ fault: 'reset' }, action)).toEqual({
      name: 'AppError',
      code: 'network_error',
      message: `${action.label} failed: The connection to ${host} broke before the response was complete (ECONNRESET). Retry.`,
    });
  });

  it.each(unreadable)('fails when the response %s', async (_what, fault) => {
    expect(await struck(fault, action)).toMatchObject({
      name: 'AppError',
      code: 'unexpected_response',
      message: expect.stringContaining(
        'Check that the base URL leads to the service and not to a web page.',
      ),
    });
  });
});

describe.each(sampled(selfContained, 1))('$name', (action) => {
  it('reads the response correctly, whatever content type the service declares', async () => {
    const fault = { fault: 'content-type', contentType: 'text/plain' } as const;
    expect(await struck(fault, action)).not.toHaveProperty('name', 'AppError');
    await revokeCouponsOf('other@example.com');
  });
});

describe('Create Coupon without a code', () => {
  it.each(lost)('fails visibly when every response %s', async (_what, fault) => {
    expect(await struck(fault, createCoupon)).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(
        /^Create Coupon got no clear response, (so the coupon may exist|but the lead has an active coupon: this one or an earlier one)/,
      ),
    });
    await revokeCouponsOf('other@example.com');
  });
});

describe('Create Landing Link', () => {
  it.each(lost)('can be replayed when the response %s', async (_what, fault) => {
    expect(await struck(fault, createLandingLink)).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(/so it may have gone through\. Retrying may do it twice\./),
    });
  });
});

describe('Revoke Coupon', () => {
  it.each([400, 422])('halts on %i, since the coupon is no longer active', async (code) => {
    expect(await struck(status(code), revokeCoupon)).toEqual({
      name: 'HaltedError',
      message: `Revoke Coupon was rejected by the service (${code}). ${said} Use Find Coupon to check the state of the coupon.`,
    });
  });

  it.each(lost.filter(([what]) => what !== 'is empty'))(
    'can be replayed when the response %s and the coupon cannot be read back',
    async (_what, fault) => {
      const coupon = { ...newCoupon, lead_email: 'third@example.com' };
      const { code } = await zapier().create('create_coupon', coupon);
      const run = () => zapier().create('revoke_coupon', { code });
      expect(await struck(fault, { ...revokeCoupon, run })).toMatchObject({
        name: 'AppError',
        code: 'outcome_unknown',
        message: expect.stringContaining(
          `so the coupon ${code} may be revoked. Get the coupon to check its status, or revoke it again: both are safe.`,
        ),
      });
      await revokeCouponsOf('third@example.com');
    },
  );
});

/** Removes what a fault left behind, which would be in the way of the next one. */
async function revokeCouponsOf(email: string): Promise<void> {
  for (const [, coupon] of service().sandbox.snapshot().data.coupons) {
    const isInTheWay = coupon.lead_email === email && coupon.revoked_at === null;
    if (isInTheWay) await zapier().create('revoke_coupon', { code: coupon.code });
  }
}
