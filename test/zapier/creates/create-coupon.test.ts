import { describe, expect, it } from '@jest/globals';
import { credentialKinds } from '../app/service.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService();

const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
};

async function failure(inputData: Record<string, unknown>) {
  const zapier = await service().connect();
  return zapier.create('create_coupon', inputData).then(
    (record) => record,
    (error: unknown) => readZapierError(error),
  );
}

describe.each(credentialKinds)('Create Coupon with %s', (kind) => {
  it('returns the coupon that the service created, with every field that was filled in', async () => {
    const zapier = await service().connect({ kind });
    const record = await zapier.create('create_coupon', {
      ...coupon,
      code: 'SPRING-25',
      max_redemptions: '3',
      valid_until: '2027-03-31',
      lead_metadata: '{"crm_id":"42","tags":["a"]}',
    });
    expect(record).toMatchObject({
      ...coupon,
      code: 'SPRING-25',
      status: 'active',
      max_redemptions: 3,
      valid_until: '2027-03-31',
      lead_metadata: { crm_id: '42', tags: ['a'] },
    });
  });

  it('leaves the code to the service when none is filled in', async () => {
    const zapier = await service().connect({ kind });
    const record = await zapier.create('create_coupon', { ...coupon, code: '' });
    expect(record.code).toMatch(/^BVCC-/);
  });
});

describe('Create Coupon refuses before anything is sent, and names the field', () => {
  it.each([
    [
      'a percentage above 100',
      { ...coupon, discount_value: 101 },
      'Discount Value must be at most 100 when the discount type is percent',
    ],
    [
      'a missing value',
      { ...coupon, discount_value: '' },
      'Discount Value is required: fill it in, or check the step it is mapped from',
    ],
  ])('%s', async (_what, inputData, words) => {
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    const error = await zapier.create('create_coupon', inputData).catch(readZapierError);
    expect(error).toEqual({
      name: 'AppError',
      code: 'invalid_input',
      message: `Create Coupon was not sent: ${words}.`,
    });
    expect(service().calls()).toEqual([]);
  });
});

describe('Create Coupon that is run again', () => {
  it('finds its own coupon by the code instead of a conflict', async () => {
    const zapier = await service().connect();
    const input = { ...coupon, code: 'SPRING-25' };
    const first = await zapier.create('create_coupon', input);
    expect(await zapier.create('create_coupon', input)).toEqual(first);
  });

  it('halts when the code belongs to another coupon', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', { ...coupon, code: 'SPRING-25' });
    const other = { ...coupon, code: 'SPRING-25', lead_email: 'other@example.com' };
    expect(await failure(other)).toEqual({
      name: 'HaltedError',
      message: expect.stringMatching(
        /^Create Coupon failed because of a conflict \(409\)\. The service says: .*SPRING-25.* Use another Code,/,
      ),
    });
  });

  it('halts when the lead already has an active coupon', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', coupon);
    expect(await failure(coupon)).toEqual({
      name: 'HaltedError',
      message: expect.stringContaining('lead@example.com'),
    });
  });
});

describe('Create Coupon whose response is lost', () => {
  const lost = { method: 'POST', path: '/coupons', fault: 'reset', when: 'after' } as const;

  it('reads the coupon back by its code', async () => {
    const zapier = await service().connect();
    service().sandbox.faults.add(lost);
    const record = await zapier.create('create_coupon', { ...coupon, code: 'SPRING-25' });
    expect(record).toMatchObject({ code: 'SPRING-25', status: 'active' });
  });

  it('sends it again without a code, when the first one did not get through', async () => {
    service().sandbox.faults.add({ ...lost, when: 'before', times: 1 });
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    const record = await zapier.create('create_coupon', coupon);
    expect(record).toMatchObject({ code: expect.stringMatching(/^BVCC-/), status: 'active' });
    expect(service().calls()).toEqual(['POST /coupons null', 'POST /coupons 201']);
    expect(service().sandbox.coupons.list()).toHaveLength(1);
  });

  it('fails visibly without a code when the first one did get through, and says what is known', async () => {
    service().sandbox.faults.add({ ...lost, times: 1 });
    expect(await failure(coupon)).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
      status: 409,
      message: expect.stringContaining(
        'but the lead has an active coupon: this one or an earlier one. Ask the Screen Advertising team for its code and discount;',
      ),
    });
    expect(service().sandbox.coupons.list()).toHaveLength(1);
  });

  it('says that it can be replayed when the coupon cannot be read back either', async () => {
    service().sandbox.faults.add({ path: '/coupons/**', fault: 'status', status: 503 });
    service().sandbox.faults.add(lost);
    expect(await failure({ ...coupon, code: 'SPRING-25' })).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringContaining(
        'so the coupon SPRING-25 may exist. Retrying with the same code is safe: it cannot be created twice.',
      ),
    });
  });
});
