import { describe, expect, it } from '@jest/globals';
import { credentialKinds } from '../app/service.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService();

const coupon = {
  discount_type: 'free_days',
  discount_value: 2,
  lead_email: 'lead@example.com',
  code: 'SPRING-25',
};

describe.each(credentialKinds)('Revoke Coupon with %s', (kind) => {
  it('returns the revoked coupon', async () => {
    const zapier = await service().connect({ kind });
    await zapier.create('create_coupon', coupon);
    const record = await zapier.create('revoke_coupon', { code: 'SPRING-25' });
    expect(record).toMatchObject({ code: 'SPRING-25', status: 'revoked' });
  });
});

describe('Revoke Coupon', () => {
  it('halts when the coupon is already revoked', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', coupon);
    await zapier.create('revoke_coupon', { code: 'SPRING-25' });
    const error = await zapier
      .create('revoke_coupon', { code: 'SPRING-25' })
      .catch(readZapierError);
    expect(error).toEqual({
      name: 'HaltedError',
      message: expect.stringMatching(
        /^Revoke Coupon was rejected by the service \(400\)\. The service says: .*SPRING-25.* Use Find Coupon to check the state of the coupon\.$/,
      ),
    });
  });

  it('reads the coupon back when the response is lost', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', coupon);
    service().sandbox.faults.add({ path: '/coupons/*/revoke', fault: 'reset', when: 'after' });
    const record = await zapier.create('revoke_coupon', { code: 'SPRING-25' });
    expect(record).toMatchObject({ code: 'SPRING-25', status: 'revoked' });
  });
});
