import { describe, expect, it } from '@jest/globals';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

const fields = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };

const create = ({ call }: Running, more: object = {}, token?: string) =>
  call('POST', '/coupons', { body: { ...fields, ...more }, ...(token && { token }) });

const statusOf = async ({ read }: Running, code: string) =>
  (await read<{ status: string }>(`/coupons/${code}`)).status;

const ends: readonly [string, string, (service: Running) => unknown][] = [
  ['redeemed', 'was already redeemed', ({ sandbox }) => sandbox.coupons.redeem('OLD')],
  ['revoked', 'was revoked', ({ call }) => call('POST', '/coupons/OLD/revoke')],
  ['expired', 'has expired', ({ sandbox }) => sandbox.clock.advance(48 * 60 * 60 * 1000)],
];

describe('a new coupon', () => {
  it.each<object[]>([
    [{ discount_type: 'amount_cents', discount_value: 5000 }],
    [{ discount_type: 'free_days', discount_value: 3 }],
    [{ discount_value: 0.5 }],
    [{ discount_value: 100, max_redemptions: 1000, valid_until: '2030-12-31T23:59:59Z' }],
    ...[{ crm: { id: 42 } }, ['a'], 'text', 7, true, null].map((value) => [
      { lead_metadata: value },
    ]),
  ])('may have %j', async (more) => {
    const reply = await create(await start(), more);
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([201, { ...fields, ...more }]);
  });

  it('belongs to its access, whichever of its credentials asks', async () => {
    const service = await start();
    const { clientId: client_id, clientSecret: client_secret } = service.full;
    const body = { client_id, client_secret };
    const { text } = await service.call('POST', '/oauth/token', { token: null, body });
    const { access_token } = JSON.parse(text);
    expect((await create(service, { code: 'SPRING-25' })).status).toBe(201);
    expect((await create(service, {}, access_token)).status).toBe(409);
    expect((await create(service, {}, service.second.apiKey)).status).toBe(201);
    const other = { lead_email: 'b@example.com', code: 'SPRING-25' };
    expect((await create(service, other, service.second.apiKey)).status).toBe(409);
  });

  it('has these fields', async () => {
    expect(JSON.parse((await create(await start())).text)).toEqual({
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

  it('conflicts with a code that is taken, and with an active coupon of its lead', async () => {
    const service = await start();
    await create(service, { code: 'SPRING-25' });
    const again = await create(service, { code: 'SPRING-25', lead_email: 'b@example.com' });
    expect(problemDetail(again, 409)).toBe('code SPRING-25 is already taken. Choose another.');
    const reply = await create(service, { lead_email: 'LEAD@example.com' });
    expect(problemDetail(reply, 409)).toBe(
      'lead_email LEAD@example.com already has an active coupon from this access. Revoke it first, or wait until it is redeemed or expires.',
    );
  });
});

describe.each(ends)('a coupon that is %s', (status, why, end) => {
  it('cannot be revoked, stays as it is, and lets its lead have a new one', async () => {
    const service = await start();
    await create(service, { code: 'OLD', valid_until: '2027-03-02' });
    await end(service);
    const reply = await service.call('POST', '/coupons/OLD/revoke');
    expect(problemDetail(reply, 400)).toBe(`The coupon OLD cannot be revoked: it ${why}.`);
    expect(await statusOf(service, 'OLD')).toBe(status);
    expect((await create(service)).status).toBe(201);
  });
});

describe('a coupon', () => {
  it('can be redeemed as often as it says', async () => {
    const service = await start();
    await create(service, { code: 'TWICE', max_redemptions: 2 });
    await service.sandbox.coupons.redeem('TWICE');
    expect(await statusOf(service, 'TWICE')).toBe('active');
    await service.sandbox.coupons.redeem('TWICE');
    expect(await statusOf(service, 'TWICE')).toBe('redeemed');
  });

  it('is in the path with any characters', async () => {
    const service = await start();
    const code = 'A+B/ü?%';
    await create(service, { code });
    expect(await service.read(`/coupons/${encodeURIComponent(code)}`)).toMatchObject({ code });
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
