import { describe, expect, it } from '@jest/globals';
import type { CallOptions, Client } from '@screen-advertising/core';
import { useBench } from '../support/bench.ts';

type Run = (client: Client, options?: CallOptions) => Promise<unknown>;

const bench = useBench();
const days = { screenId: 's', from: '2027-01-01', to: '2027-01-02' };
const coupon = {
  discount_type: 'free_days',
  discount_value: 3,
  lead_email: 'a@example.com',
} as const;

describe('a client has a method for every operation', () => {
  const methods: readonly [string, string, Run][] = [
    ['screens.list', 'GET /screens', (client, options) => client.screens.list({}, options)],
    [
      'screens.get',
      'GET /screens/s',
      (client, options) => client.screens.get({ screenId: 's' }, options),
    ],
    [
      'screens.availability',
      'GET /screens/s/availability',
      (client, options) => client.screens.availability(days, options),
    ],
    [
      'coupons.create',
      'POST /coupons',
      (client, options) => client.coupons.create(coupon, options),
    ],
    [
      'coupons.get',
      'GET /coupons/c',
      (client, options) => client.coupons.get({ code: 'c' }, options),
    ],
    [
      'coupons.revoke',
      'POST /coupons/c/revoke',
      (client, options) => client.coupons.revoke({ code: 'c' }, options),
    ],
    [
      'users.lookup',
      'GET /users/lookup',
      (client, options) => client.users.lookup({ vat_uid: 'v' }, options),
    ],
    [
      'landingLinks.create',
      'POST /landing-links',
      (client, options) => client.landingLinks.create({}, options),
    ],
    [
      'campaignRequests.list',
      'GET /campaign-requests',
      (client, options) => client.campaignRequests.list({}, options),
    ],
    [
      'campaignRequests.get',
      'GET /campaign-requests/r',
      (client, options) => client.campaignRequests.get({ id: 'r' }, options),
    ],
  ];

  it.each(methods)('%s: %s', async (_name, route, run) => {
    bench.service.on(route, { body: { data: [] } });
    expect(await run(bench.client())).toMatchObject({ data: [] });
    expect(bench.service.receivedFor(route)).toHaveLength(1);
  });

  it.each(methods)('%s takes a signal', async (_name, _route, run) => {
    const reason = new Error('enough');
    await expect(run(bench.client(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(bench.service.received).toEqual([]);
  });

  it('lists without filters', async () => {
    bench.service.on('GET /screens', { body: { data: [] } });
    bench.service.on('GET /campaign-requests', { body: [] });
    await bench.client().screens.list();
    await bench.client().campaignRequests.list();
    expect(bench.service.received.map(({ path }) => path)).toEqual([
      '/screens',
      '/campaign-requests',
    ]);
  });
});
