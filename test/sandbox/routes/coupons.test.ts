import { describe, expect, it } from '@jest/globals';
import { problemDetail } from '../support/problem.ts';
import { type Running, start } from '../support/running-sandbox.ts';

const fields = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };

const create = ({ call }: Running, more: object = {}, token?: string) =>
  call('POST', '/coupons', { body: { ...fields, ...more }, ...(token && { token }) });

const statusOf = async ({ read }: Running, code: string) =>
  (await read<{ status: string }>(`/coupons/${code}`)).status;

describe('POST /coupons', () => {
  it('responds with 201 and the coupon, and generates a code in the pattern BVCC-XXXX', async () => {
    const reply = await create(await start());
    expect(reply.status).toBe(201);
    expect(JSON.parse(reply.text)).toEqual({
      ...fields,
      code: expect.stringMatching(/^BVCC-[A-Z0-9]{4}$/),
      status: 'active',
      max_redemptions: 1,
      valid_until: null,
      redemptions: 0,
      created_at: '2027-03-01T09:00:00.000Z',
      redeemed_at: null,
      revoked_at: null,
    });
  });

  it("keeps the partner's values", async () => {
    const own = {
      code: 'SPRING/25 %',
      max_redemptions: 1000,
      valid_until: '2027-03-31',
      lead_metadata: { crm: [1, null] },
    };
    const service = await start();
    expect(JSON.parse((await create(service, own)).text)).toMatchObject(own);
    expect(await service.read(`/coupons/${encodeURIComponent(own.code)}`)).toMatchObject(own);
  });

  it.each([
    [
      { discount_value: 101 },
      'discount_value must be at most 100 when discount_type is percent, not 101.',
    ],
    [{ discount_value: 0 }, 'discount_value must be greater than 0.'],
    [{ discount_value: '25' }, 'discount_value must be a number.'],
    [{ discount_type: 'half' }, 'discount_type must be one of percent, amount_cents, free_days.'],
    [{ lead_email: 'nobody' }, 'lead_email must be an email address such as lead@example.com.'],
    [{ max_redemptions: 0 }, 'max_redemptions must be at least 1.'],
    [{ max_redemptions: 1001 }, 'max_redemptions must be at most 1000.'],
    [{ code: '' }, 'code must not be empty.'],
    [
      { valid_until: 'next week' },
      'valid_until must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
    ],
    [
      { valid_until: '2027-02-30T10:00:00Z' },
      'valid_until must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
    ],
    [
      { valid_until: '2027-02-30' },
      'valid_until must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
    ],
  ])('refuses %j', async (more, detail) => {
    expect(problemDetail(await create(await start(), more), 400)).toBe(detail);
  });

  it('names every field that is missing', async () => {
    const { call } = await start();
    const detail = problemDetail(await call('POST', '/coupons', { body: {} }), 400);
    for (const name of Object.keys(fields)) expect(detail).toContain(`${name} must be`);
  });

  it('allows more than 100 for any type but percent', async () => {
    const reply = await create(await start(), {
      discount_type: 'amount_cents',
      discount_value: 5000,
    });
    expect(reply.status).toBe(201);
  });

  it('responds with 409 to a code that is taken, by whichever access', async () => {
    const service = await start();
    await create(service, { code: 'SPRING-25' });
    const again = { code: 'SPRING-25', lead_email: 'other@example.com' };
    const detail = 'code SPRING-25 is already taken. Choose another.';
    expect(problemDetail(await create(service, again), 409)).toBe(detail);
    expect(problemDetail(await create(service, again, service.second.apiKey), 409)).toBe(detail);
  });

  it('responds with 409 to a lead who has an active coupon of this access, but not of another', async () => {
    const service = await start();
    await create(service);
    const reply = await create(service, { lead_email: 'LEAD@example.com' });
    expect(problemDetail(reply, 409)).toBe(
      'lead_email LEAD@example.com already has an active coupon from this access. Revoke it first, or wait until it is redeemed or expires.',
    );
    expect((await create(service, {}, service.second.apiKey)).status).toBe(201);
  });

  it.each<[string, (service: Running) => unknown]>([
    ['redeemed', ({ sandbox }) => sandbox.coupons.redeem('OLD')],
    ['revoked', ({ call }) => call('POST', '/coupons/OLD/revoke')],
    ['expired', ({ sandbox }) => sandbox.clock.advance(48 * 60 * 60 * 1000)],
  ])('lets a lead have a new coupon when the old one is %s', async (status, end) => {
    const service = await start();
    await create(service, { code: 'OLD', valid_until: '2027-03-02' });
    await end(service);
    expect(await statusOf(service, 'OLD')).toBe(status);
    expect((await create(service)).status).toBe(201);
  });
});

describe('GET /coupons/{code}', () => {
  it('does not find an unknown code, nor one of another access', async () => {
    const service = await start();
    await create(service, { code: 'MINE' });
    expect(problemDetail(await service.call('GET', '/coupons/NONE'), 404)).toBe(
      'There is no coupon NONE.',
    );
    const foreign = await service.call('GET', '/coupons/MINE', { token: service.second.apiKey });
    expect(problemDetail(foreign, 404)).toBe('There is no coupon MINE.');
  });
});

describe('the state of a coupon', () => {
  it('is redeemed after the last redemption, and active until then', async () => {
    const service = await start();
    await create(service, { code: 'TWICE', max_redemptions: 2 });
    await service.sandbox.coupons.redeem('TWICE');
    expect(await statusOf(service, 'TWICE')).toBe('active');
    await service.sandbox.coupons.redeem('TWICE');
    expect(await statusOf(service, 'TWICE')).toBe('redeemed');
    await expect(service.sandbox.coupons.redeem('TWICE')).rejects.toThrow(
      'The coupon TWICE cannot be redeemed: it was already redeemed.',
    );
  });

  it.each([
    ['a day, after its end in UTC', '2027-03-01', '2027-03-01T23:59:59.999Z'],
    ['a moment, after it', '2027-03-01T12:00:00+01:00', '2027-03-01T11:00:00.000Z'],
    ['a moment without zone, read as UTC', '2027-03-01T12:00', '2027-03-01T12:00:00.000Z'],
  ])('is expired when valid_until is %s', async (_case, validUntil, last) => {
    const service = await start();
    await create(service, { code: 'ENDS', valid_until: validUntil });
    await service.sandbox.clock.advance(Date.parse(last) - service.sandbox.clock.now());
    expect(await statusOf(service, 'ENDS')).toBe('active');
    await service.sandbox.clock.advance(1);
    expect(await statusOf(service, 'ENDS')).toBe('expired');
  });
});

describe('POST /coupons/{code}/revoke', () => {
  it('revokes, and responds with the coupon', async () => {
    const service = await start();
    await create(service, { code: 'GONE' });
    const reply = await service.call('POST', '/coupons/GONE/revoke');
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({
      code: 'GONE',
      status: 'revoked',
      revoked_at: '2027-03-01T09:00:00.000Z',
    });
  });

  it.each<[string, string, (service: Running) => unknown]>([
    ['redeemed', 'was already redeemed', ({ sandbox }) => sandbox.coupons.redeem('OLD')],
    ['revoked', 'was revoked', ({ call }) => call('POST', '/coupons/OLD/revoke')],
    ['expired', 'has expired', ({ sandbox }) => sandbox.clock.advance(48 * 60 * 60 * 1000)],
  ])('responds with 400 when it is %s, and changes nothing', async (status, why, end) => {
    const service = await start();
    await create(service, { code: 'OLD', valid_until: '2027-03-02' });
    await end(service);
    const reply = await service.call('POST', '/coupons/OLD/revoke');
    expect(problemDetail(reply, 400)).toBe(`The coupon OLD cannot be revoked: it ${why}.`);
    expect(await statusOf(service, 'OLD')).toBe(status);
  });

  it('does not find that of another access', async () => {
    const service = await start();
    await create(service, { code: 'MINE' });
    const token = service.second.apiKey;
    const reply = await service.call('POST', '/coupons/MINE/revoke', { token });
    expect(problemDetail(reply, 404)).toBe('There is no coupon MINE.');
    expect(await statusOf(service, 'MINE')).toBe('active');
  });
});
