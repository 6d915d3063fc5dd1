import { describe, expect, it } from '@jest/globals';
import { status, useService } from './app/use-service.ts';

import { readZapierError } from './app/zapier.ts';

const service = useService({ clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });

it('Revoke Coupon returns the revoked coupon', async () => {
  const zapier = await service().connect();
  await zapier.create('create_coupon', {
    code: 'WINTER-26',
    discount_type: 'percent',
    discount_value: 10,
    lead_email: 'lead@example.com',
  });
  const record = await zapier.create('revoke_coupon', { code: 'WINTER-26' });
  expect(record).toEqual({
    code: 'WINTER-26',
    status: 'revoked',
    discount_type: 'percent',
    discount_value: 10,
    discount_value_cents: null,
    lead_email: 'lead@example.com',
    lead_metadata: null,
    max_redemptions: 1,
    redemptions: 0,
    created_at: '2027-03-01T09:00:00.000Z',
    redeemed_at: null,
    revoked_at: '2027-03-01T09:00:00.000Z',
    valid_until: null,
  });
});

describe('a refused Revoke Coupon', () => {
  const code = 'WINTER-26';
  const coupon = {
    code,
    discount_type: 'percent',
    discount_value: 10,
    lead_email: 'a@example.com',
  };

  /** What Zapier is thrown when the service refuses, and then shows the coupon like this. */
  async function refused(shown: object, refusal = status(400)) {
    const zapier = await service().connect();
    await zapier.create('create_coupon', coupon);
    const { faults } = service().sandbox;
    const body = JSON.stringify({ data: { ...coupon, ...shown } });
    faults.add({ ...refusal, path: '/coupons/*/revoke' });
    faults.add({ path: '/coupons/*', fault: 'status', status: 200, body });
    return zapier.create('revoke_coupon', { code }).catch(readZapierError);
  }

  it.each(['revoked', 'redeemed', 'expired', 'Revoked'])(
    'halts when the coupon is %s, since there is nothing left to do',
    async (its) => {
      expect(await refused({ status: its })).toEqual({
        name: 'HaltedError',
        message: `Revoke Coupon has nothing to do: the coupon WINTER-26 is already ${its.toLowerCase()}.`,
      });
    },
  );

  it.each([{ status: 'active' }, { status: null }, {}])(
    'fails when the coupon shows %j, so that Zapier notifies its owner',
    async (shown) => {
      expect(await refused(shown)).toEqual({
        name: 'AppError',
        code: 'urn:screen-advertising:problem:fault',
        status: 400,
        message:
          'Revoke Coupon failed: the service rejected the request (400). The service says: "A fault." The coupon may still be active: check it with Find Coupon, then replay the step.',
      });
    },
  );

  it('does not believe a page of a proxy, even if the coupon is over', async () => {
    const proxy = { ...status(400), body: '<h1>Blocked</h1>', contentType: 'text/html' };
    expect(await refused({ status: 'revoked' }, proxy)).toMatchObject({
      name: 'AppError',
      code: 'unexpected_response',
    });
  });

  it('runs again later when the coupon cannot be read for now', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', coupon);
    const { faults } = service().sandbox;
    faults.add({ ...status(409), path: '/coupons/*/revoke' });
    faults.add({ ...status(429, { 'retry-after': '12' }), path: '/coupons/*' });
    expect(await zapier.create('revoke_coupon', { code }).catch(readZapierError)).toMatchObject({
      name: 'ThrottledError',
      delay: 12,
    });
  });

  it('quotes the refusal when the coupon cannot be read', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', coupon);
    service().sandbox.faults.add({ ...status(400), path: '/coupons/*/revoke' });
    service().sandbox.faults.add({ ...status(500), path: '/coupons/*' });
    expect(await zapier.create('revoke_coupon', { code }).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      status: 400,
    });
  });
});
