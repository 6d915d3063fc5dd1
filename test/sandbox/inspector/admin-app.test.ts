import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

const dataOf = async ({ admin }: Running, path: string) =>
  JSON.parse((await admin('GET', path)).text).data;

describe('the admin API', () => {
  it("reports the service's address, time, accesses and variants", async () => {
    const { admin, baseUrl, sandbox } = await start();
    expect(JSON.parse((await admin('GET', '')).text)).toEqual({
      base_url: baseUrl,
      now: '2027-03-01T09:00:00.000Z',
      frozen: true,
      accesses: sandbox.accesses.map(({ id, name, scopes }) => ({ id, name, scopes })),
      variants: sandbox.variants,
    });
  });

  it('returns the demo credentials and the journal', async () => {
    const service = await start();
    await service.call('GET', '/screens');
    expect(await dataOf(service, '/accesses')).toEqual(service.sandbox.accesses);
    expect(await dataOf(service, '/journal')).toEqual(service.sandbox.journal.list());
    expect((await service.admin('DELETE', '/journal')).status).toBe(204);
    expect(await dataOf(service, '/journal')).toEqual([]);
  });

  it('moves the clock', async () => {
    const { admin, sandbox } = await start();
    const advanced = await admin('POST', '/clock/advance', { body: { ms: 60_000 } });
    expect(JSON.parse(advanced.text)).toEqual({ now: '2027-03-01T09:01:00.000Z', frozen: true });
    expect(JSON.parse((await admin('POST', '/clock/run')).text)).toMatchObject({ frozen: false });
    expect(sandbox.clock.isFrozen).toBe(false);
    expect(JSON.parse((await admin('POST', '/clock/freeze')).text)).toMatchObject({ frozen: true });
    expect(JSON.parse((await admin('GET', '/clock')).text)).toMatchObject({ frozen: true });
  });

  it('cannot move the clock beyond the timestamps of signatures', async () => {
    const { admin, sandbox } = await start({ startAt: '4999-12-31T23:59:59Z' });
    const far = await admin('POST', '/clock/advance', { body: { ms: 60_000 } });
    expect(problemDetail(far, 400)).toBe('ms: the clock cannot advance past the year 4999.');
    await sandbox.clock.advance(999);
    expect(new Date(sandbox.clock.now()).toISOString()).toBe('4999-12-31T23:59:59.999Z');
  });

  it('registers addresses, fires events, shows deliveries and redelivers', async () => {
    const service = await start();
    const receiver = await startReceiver([500]);
    const added = await service.admin('POST', '/webhooks', { body: { url: receiver.url } });
    expect(added.status).toBe(201);
    expect(await dataOf(service, '/webhooks')).toEqual([JSON.parse(added.text)]);

    const body = { type: 'campaign.paid', data: { amount_cents: 5 }, access: 'full' };
    const fired = await service.admin('POST', '/events', { body });
    expect(fired.status).toBe(201);
    const [delivery] = await dataOf(service, '/deliveries');
    expect(JSON.parse(fired.text).data).toEqual([delivery]);
    expect(delivery).toMatchObject({ status: 'pending', event: 'campaign.paid' });

    const again = await service.admin('POST', `/deliveries/${delivery.id}/redeliver`);
    expect(JSON.parse(again.text)).toMatchObject({ status: 'delivered' });
    expect((await service.admin('DELETE', '/webhooks/whk_0001')).status).toBe(204);
    expect(await dataOf(service, '/webhooks')).toEqual([]);
  });

  it('redeems a coupon', async () => {
    const service = await start();
    const body = {
      discount_type: 'percent',
      discount_value: 5,
      lead_email: 'a@example.com',
      code: 'A/B',
    };
    await service.call('POST', '/coupons', { body });
    expect((await service.admin('POST', '/coupons/A%2FB/redeem')).status).toBe(200);
    expect(await dataOf(service, '/coupons')).toMatchObject([{ code: 'A/B', redemptions: 1 }]);
    problemDetail(await service.admin('POST', '/coupons/A%2FB/redeem'), 409);
    problemDetail(await service.admin('POST', '/coupons/NONE/redeem'), 404);
  });

  it('adds, lists and clears faults', async () => {
    const service = await start();
    const added = await service.admin('POST', '/faults', { body: { fault: 'empty-body' } });
    expect(added.status).toBe(201);
    expect(await dataOf(service, '/faults')).toEqual([JSON.parse(added.text)]);
    expect((await service.admin('DELETE', '/faults/flt_1')).status).toBe(204);
    expect(problemDetail(await service.admin('DELETE', '/faults/flt_1'), 404)).toBe(
      'There is no fault rule flt_1.',
    );
    expect((await service.admin('DELETE', '/faults')).status).toBe(204);
  });

  it('adds and changes records', async () => {
    const service = await start();
    const { admin } = service;
    const screen = { id: 'scr_berlin_0001', bookable: false };
    expect((await admin('POST', '/screens', { body: screen })).status).toBe(201);
    problemDetail(await service.call('GET', '/screens/scr_berlin_0001'), 404);
    expect((await admin('DELETE', '/screens/scr_berlin_0001')).status).toBe(204);
    expect(problemDetail(await admin('DELETE', '/screens/scr_berlin_0001'), 404)).toBe(
      'There is no screen scr_berlin_0001.',
    );
    const user = { email: 'new@example.com', referredBy: 'full', has_bookings: true };
    expect(JSON.parse((await admin('POST', '/users', { body: user })).text)).toMatchObject(user);
    const request = { id: 'cr_0001', status: 'converted' };
    await admin('POST', '/campaign-requests', { body: request });
    expect(await service.read('/campaign-requests/cr_0001')).toMatchObject(request);
    for (const kind of ['/screens', '/users', '/campaign-requests']) {
      expect((await dataOf(service, kind)).length).toBeGreaterThan(1);
    }
  });

  it.each([
    ['/events', { type: 'coupon.eaten' }, 'type: must be one of '],
    ['/webhooks', {}, 'url: '],
    ['/faults', { fault: 'none' }, 'fault: must be one of '],
    ['/clock/advance', { ms: -1 }, 'ms: '],
  ])('rejects POST %s %j and names the member', async (path, body, named) => {
    const { admin } = await start();
    expect(problemDetail(await admin('POST', path, { body }), 400)).toContain(named);
  });

  it('returns the state, restores it, and resets it', async () => {
    const service = await start();
    const state = (await service.admin('GET', '/state')).text;
    await service.sandbox.fire('user.registered', { email: 'new@example.com' });
    expect((await service.admin('PUT', '/state', { body: state })).status).toBe(204);
    expect(JSON.stringify(service.sandbox.snapshot())).toBe(state);
    await service.sandbox.fire('user.registered', { email: 'new@example.com' });
    expect((await service.admin('POST', '/reset')).status).toBe(204);
    expect(JSON.stringify(service.sandbox.snapshot())).toBe(state);
  });
});
