import { expect } from '@jest/globals';
import { at, type Bench } from '../bench.ts';
import { type Row, row } from '../row.ts';

const valid = {
  discount_type: 'percent',
  discount_value: 10,
  lead_email: 'lead@example.com',
} as const;

/** Fields that the service refuses with its status for fields. */
function refusedRow(says: string, fields: object, field: string, section = '2.4'): Row {
  return row(
    section,
    says,
    async (bench) => {
      const input = { ...valid, ...fields };
      const reply = await bench.post('/coupons', input);
      expect([400, 422]).toContain(reply.status);
      expect(String(at(reply.json, 'detail'))).toContain(field);
    },
    ['invalidParameter'],
  );
}

function acceptedRow(says: string, fields: object): Row {
  return row('2.4', says, async (bench) => {
    const coupon = await bench.client().coupons.create({ ...valid, ...fields } as never);
    expect(coupon).toMatchObject({ ...valid, ...fields });
  });
}

const lost = { method: 'POST', path: '/coupons', fault: 'reset' } as const;

async function createWithCode(bench: Bench, code: string): Promise<void> {
  expect((await bench.post('/coupons', { ...valid, code })).status).toBe(201);
}

async function statusOf(bench: Bench, code: string): Promise<unknown> {
  return at((await bench.get(`/coupons/${code}`)).json, 'status');
}

export const couponRows: readonly Row[] = [
  ...['percent', 'amount_cents', 'free_days'].map((discount_type) =>
    acceptedRow(`discount_type ${discount_type} is allowed`, { discount_type }),
  ),
  refusedRow('no other discount_type is allowed', { discount_type: 'bogus' }, 'discount_type'),
  ...(['discount_type', 'discount_value', 'lead_email'] as const).map((name) =>
    refusedRow(`${name} is required`, { [name]: undefined }, name, '4.5'),
  ),
  refusedRow('discount_value 0 is too small', { discount_value: 0 }, 'discount_value'),
  refusedRow('discount_value is a number', { discount_value: '10' }, 'discount_value'),
  acceptedRow('discount_value need not be whole', { discount_value: 0.5 }),
  acceptedRow('discount_value 100 is allowed for percent', { discount_value: 100 }),
  acceptedRow('discount_value above 100 is allowed for amount_cents', {
    discount_type: 'amount_cents',
    discount_value: 5000,
  }),
  row('4.5', 'percent with a discount_value above 100 gets 400', async (bench) => {
    const reply = await bench.post('/coupons', { ...valid, discount_value: 101 });
    expect(reply.status).toBe(400);
  }),
  refusedRow('lead_email is an email address', { lead_email: 'lead' }, 'lead_email'),
  acceptedRow("the client's own code is kept", { code: 'SPRING-25' }),
  row('2.4', 'without a code one is generated in the pattern BVCC-XXXX', async (bench) => {
    const coupon = await bench.client().coupons.create(valid);
    expect(coupon.code).toMatch(/^BVCC-[A-Z0-9]{4}$/);
  }),
  row('2.4', 'max_redemptions is 1 by default', async (bench) => {
    expect(await bench.client().coupons.create(valid)).toMatchObject({ max_redemptions: 1 });
  }),
  acceptedRow('max_redemptions 1000 is allowed', { max_redemptions: 1000 }),
  refusedRow('max_redemptions 0 is too small', { max_redemptions: 0 }, 'max_redemptions'),
  refusedRow('max_redemptions 1001 is too large', { max_redemptions: 1001 }, 'max_redemptions'),
  refusedRow('max_redemptions is an integer', { max_redemptions: 1.5 }, 'max_redemptions'),
  acceptedRow('valid_until is free text', { valid_until: '2030-12-31T23:59:59Z' }),
  ...[{ crm: { id: 42 } }, ['a'], 'text', 7, true, null].map((lead_metadata) =>
    acceptedRow(`lead_metadata may be ${JSON.stringify(lead_metadata)}`, { lead_metadata }),
  ),
  row(
    '4.5',
    'a new coupon gets 201 with its record',
    async (bench) => {
      expect((await bench.post('/coupons', valid)).status).toBe(201);
      const other = { ...valid, lead_email: 'other@example.com', code: 'OTHER' };
      expect(await bench.client().coupons.create(other)).toMatchObject(other);
    },
    ['singleRecord'],
  ),
  row('4.5', 'a code that is taken gets 409', async (bench) => {
    await createWithCode(bench, 'TAKEN');
    const again = { ...valid, lead_email: 'other@example.com', code: 'TAKEN' };
    expect((await bench.post('/coupons', again)).status).toBe(409);
  }),
  row('4.5', 'a code that another access has taken gets 409', async (bench) => {
    await createWithCode(bench, 'TAKEN');
    const again = { ...valid, code: 'TAKEN' };
    expect((await bench.post('/coupons', again, bench.second.apiKey)).status).toBe(409);
  }),
  row('4.5', 'a lead with an active coupon on the access gets 409', async (bench) => {
    await createWithCode(bench, 'FIRST');
    expect((await bench.post('/coupons', valid)).status).toBe(409);
  }),
  row(
    '4.5',
    'so a request without a code whose response was lost is sent again, and creates no second coupon',
    async (bench) => {
      bench.sandbox.faults.add({ ...lost, when: 'before', times: 1 });
      expect(await bench.client().coupons.create(valid)).toMatchObject(valid);
      expect(bench.sandbox.coupons.list()).toHaveLength(1);
      const other = { ...valid, lead_email: 'other@example.com' };
      bench.sandbox.faults.add({ ...lost, when: 'after', times: 1 });
      await expect(bench.client().coupons.create(other)).rejects.toMatchObject({
        code: 'outcome_unknown',
        status: 409,
        message: expect.stringContaining(
          'the lead has an active coupon: this one or an earlier one',
        ),
      });
      expect(bench.sandbox.coupons.list()).toHaveLength(2);
    },
    ['lostCoupon', 'singleRecord'],
  ),
  row('4.5', 'a lead whose coupon was revoked may have another one', async (bench) => {
    await createWithCode(bench, 'FIRST');
    await bench.post('/coupons/FIRST/revoke');
    expect((await bench.post('/coupons', valid)).status).toBe(201);
  }),
  row(
    '4.6',
    'a coupon can be read by its code',
    async (bench) => {
      await createWithCode(bench, 'READ-ME');
      expect(await bench.client().coupons.get({ code: 'READ-ME' })).toMatchObject({
        ...valid,
        code: 'READ-ME',
      });
    },
    ['singleRecord'],
  ),
  row('4.6', 'a coupon can be read with coupons:read alone', async (bench) => {
    expect(bench.limited.scopes).toContain('coupons:read');
    expect(bench.limited.scopes).not.toContain('coupons:write');
    expect((await bench.get('/coupons/NONE', bench.limited.apiKey)).status).toBe(404);
  }),
  row('2.4', 'a path identifies a coupon by its code, whatever its characters', async (bench) => {
    const code = 'A+B/ü?%';
    await bench.client().coupons.create({ ...valid, code });
    expect(await bench.client().coupons.get({ code })).toMatchObject({ code });
  }),
  row(
    '4.7',
    'an active coupon can be revoked, and is then no longer active',
    async (bench) => {
      await createWithCode(bench, 'REVOKE');
      expect(await bench.client().coupons.revoke({ code: 'REVOKE' })).toMatchObject({
        code: 'REVOKE',
      });
      expect(await bench.client().coupons.get({ code: 'REVOKE' })).toMatchObject({
        status: 'revoked',
      });
    },
    ['revokeAnswer', 'singleRecord'],
  ),
  row('4.7', 'revoking a coupon that is no longer active gets 400', async (bench) => {
    await createWithCode(bench, 'TWICE');
    await bench.post('/coupons/TWICE/revoke');
    expect((await bench.post('/coupons/TWICE/revoke')).status).toBe(400);
  }),
  row('4.7', 'revoking a redeemed coupon gets 400', async (bench) => {
    await createWithCode(bench, 'USED');
    await bench.sandbox.fire('coupon.redeemed', { code: 'USED' });
    expect((await bench.post('/coupons/USED/revoke')).status).toBe(400);
    expect(await statusOf(bench, 'USED')).toBe('redeemed');
  }),
  row('3', 'a refused revocation leaves the coupon unchanged', async (bench) => {
    await createWithCode(bench, 'SAME');
    await bench.post('/coupons/SAME/revoke');
    const before = await bench.get('/coupons/SAME');
    await bench.post('/coupons/SAME/revoke');
    expect((await bench.get('/coupons/SAME')).json).toEqual(before.json);
  }),
  row('2.4', 'a coupon is active until its last redemption', async (bench) => {
    await bench.post('/coupons', { ...valid, code: 'TWO', max_redemptions: 2 });
    await bench.sandbox.fire('coupon.redeemed', { code: 'TWO' });
    expect(await statusOf(bench, 'TWO')).toBe('active');
    await bench.sandbox.fire('coupon.redeemed', { code: 'TWO' });
    expect(await statusOf(bench, 'TWO')).toBe('redeemed');
  }),
  row('2.4', 'an expired coupon is not active', async (bench) => {
    const until = new Date(bench.sandbox.clock.now() + 60_000).toISOString();
    await bench.post('/coupons', { ...valid, code: 'SHORT', valid_until: until });
    await bench.sandbox.clock.advance(61_000);
    expect(await statusOf(bench, 'SHORT')).toBe('expired');
    expect((await bench.post('/coupons', valid)).status).toBe(201);
  }),
  row('7', 'an unknown coupon code gets 404', async (bench) => {
    expect((await bench.get('/coupons/NONE')).status).toBe(404);
    expect((await bench.post('/coupons/NONE/revoke')).status).toBe(404);
  }),
];
