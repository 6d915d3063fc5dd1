import { describe, expect, it } from '@jest/globals';
import type { Snapshot } from '@screen-advertising/sandbox';
import { startReceiver } from '../support/receiver.ts';
import { problemDetail, start } from '../support/running-sandbox.ts';

const coupon = {
  discount_type: 'percent',
  discount_value: 5,
  lead_email: 'a@example.com',
  code: 'C',
};

describe('a snapshot', () => {
  it('restores records, tokens, addresses and the time, over JSON and in another sandbox', async () => {
    const first = await start();
    const { clientId, clientSecret } = first.full;
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const reply = await first.call('POST', '/oauth/token', { body: credentials });
    const token = JSON.parse(reply.text).access_token;
    await first.call('POST', '/coupons', { body: coupon });
    first.sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    await first.sandbox.clock.advance(5000);

    const text = JSON.stringify(first.sandbox.snapshot());
    const second = await start({ startAt: 0 });
    second.sandbox.restore(JSON.parse(text));
    expect(second.sandbox.clock.now()).toBe(first.sandbox.clock.now());
    expect(await second.read('/coupons/C', token)).toMatchObject({ status: 'active' });
    expect(second.sandbox.webhooks.list()).toEqual(first.sandbox.webhooks.list());
    expect(second.sandbox.snapshot()).toStrictEqual(JSON.parse(text));
  });

  it('is a copy that later changes do not affect', async () => {
    const { sandbox } = await start();
    const snapshot = sandbox.snapshot();
    const text = JSON.stringify(snapshot);
    await sandbox.fire('user.registered');
    expect(JSON.stringify(snapshot)).toBe(text);
    sandbox.restore(snapshot);
    await sandbox.fire('user.registered');
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it('schedules the retries that were due', async () => {
    const first = await start();
    const receiver = await startReceiver([500]);
    first.sandbox.webhooks.add({ url: receiver.url });
    await first.sandbox.fire('campaign.paid');
    const second = await start();
    second.sandbox.restore(first.sandbox.snapshot());
    await second.sandbox.clock.advance(1000);
    expect(second.sandbox.deliveries.list()).toMatchObject([{ status: 'delivered' }]);
    expect(receiver.arrivals).toHaveLength(2);
  });
});

it('a reset returns to the seed, and clears faults, limits and the journal', async () => {
  const { sandbox, call } = await start({ rateLimit: { requests: 1 } });
  const seeded = JSON.stringify(sandbox.snapshot());
  await call('POST', '/coupons', { body: coupon });
  sandbox.faults.add({ fault: 'empty-body' });
  sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
  sandbox.reset();
  expect(JSON.stringify(sandbox.snapshot())).toBe(seeded);
  expect([sandbox.faults.list(), sandbox.journal.list()]).toEqual([[], []]);
  expect((await call('GET', '/screens')).status).toBe(200);
});

describe('a snapshot with an invalid field', () => {
  type Part = Record<string, unknown>;
  const data = (snapshot: Snapshot, change: (data: Snapshot['data']) => Part) => ({
    ...snapshot,
    data: { ...snapshot.data, ...change(snapshot.data) },
  });
  const records = (kind: 'coupons' | 'deliveries', change: Part) => (snapshot: Snapshot) =>
    data(snapshot, ({ [kind]: all }) => ({
      [kind]: (all as [string, object][]).map(([key, one]) => [key, { ...one, ...change }]),
    }));
  const missing = 'Invalid input: expected object, received undefined';

  it.each<[string, (snapshot: Snapshot) => object]>([
    // Each of the first three was once accepted, and then crashed the process.
    [
      'data.deliveries.0.1.body: Invalid input: expected string, received undefined.',
      records('deliveries', { body: undefined }),
    ],
    [
      'data.deliveries.0.1.createdAt: must be a timestamp such as 2027-03-31T23:59:59Z.',
      records('deliveries', { createdAt: 'soon' }),
    ],
    [
      'clock: must be between the years 1970 and 5000.',
      (it) => ({ ...it, clock: { offsetMs: 1e300, frozenAt: null } }),
    ],
    [
      'data.deliveries.0.1.nextAttemptAt: must be between the years 1970 and 5000.',
      records('deliveries', { nextAttemptAt: '1969-12-31T23:59:59Z' }),
    ],
    [
      'data.coupons.0.1.valid_until: must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
      records('coupons', { valid_until: 'spring' }),
    ],
    [
      'data.coupons.0.1.discount_value: must be at most 100 when discount_type is percent.',
      records('coupons', { discount_value: 101 }),
    ],
    ['data.coupons.0.1: Unrecognized key: "colour".', records('coupons', { colour: 'red' })],
    [`clock: ${missing}; data: ${missing}.`, () => ({ version: 1 })],
  ])('is rejected as a whole: %s', async (detail, change) => {
    const { sandbox, admin, call } = await start({ screens: 2 });
    await call('POST', '/coupons', { body: coupon });
    sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    await sandbox.fire('campaign.paid');
    const before = JSON.stringify(sandbox.snapshot());
    const body = change(sandbox.snapshot());
    expect(problemDetail(await admin('PUT', '/state', { body }), 400)).toBe(detail);
    expect(() => sandbox.restore(body as Snapshot)).toThrow(detail);
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
  });

  it('gets the keys and the order of its records, which an edit may have changed', async () => {
    const { sandbox, call, read } = await start({ screens: 2 });
    await call('POST', '/coupons', { body: coupon });
    const edited = data(sandbox.snapshot(), ({ screens, coupons }) => ({
      screens: screens.toReversed(),
      coupons: coupons.map(([key, one]) => [key, { ...one, code: 'D' }]),
    }));
    sandbox.restore(edited);
    expect(sandbox.screens.list().map(({ position }) => position)).toEqual([1, 2]);
    expect(await read('/coupons/D')).toMatchObject({ code: 'D' });
  });

  it('names ten of many', async () => {
    const { sandbox, admin } = await start({ screens: 12 });
    const snapshot = sandbox.snapshot();
    for (const [, screen] of snapshot.data.screens) screen.city = '';
    const detail = problemDetail(await admin('PUT', '/state', { body: snapshot }), 400);
    expect(detail.match(/must not be empty/g)).toHaveLength(10);
    expect(detail).toMatch(/; and 2 more\.$/);
  });
});
