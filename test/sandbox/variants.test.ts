import { describe, expect, it } from '@jest/globals';
import { assumptions, type Variants } from '@screen-advertising/core/contract';
import { createSandbox } from '@screen-advertising/sandbox';
import { problemDetail } from './support/problem.ts';
import { type Running, start } from './support/running-sandbox.ts';

const coupon = {
  discount_type: 'percent',
  discount_value: 5,
  lead_email: 'a@example.com',
  code: 'C',
};

const answer = async ({ call }: Running, path: string) =>
  JSON.parse((await call('GET', path)).text);

describe('singleRecord', () => {
  const paths = [
    '/screens/scr_berlin_0001',
    '/screens/scr_berlin_0001/availability?from=2027-03-01&to=2027-03-31',
    '/campaign-requests/cr_0001',
    '/coupons/C',
  ];

  it('puts records under "data"', async () => {
    const [bare, data] = await Promise.all([
      start(),
      start({ variants: { singleRecord: 'data' } }),
    ]);
    for (const { call } of [bare, data]) await call('POST', '/coupons', { body: coupon });
    for (const path of paths) {
      const { thumbnail_url: _a, ...record } = await answer(bare, path);
      const { data: wrapped } = await answer(data, path);
      expect(wrapped).toMatchObject(record);
    }
    const created = await data.call('POST', '/coupons', {
      body: { ...coupon, code: 'D', lead_email: 'd@example.com' },
    });
    expect(JSON.parse(created.text)).toMatchObject({ data: { code: 'D' } });
    const revoked = await data.call('POST', '/coupons/D/revoke');
    expect(JSON.parse(revoked.text)).toMatchObject({ data: { status: 'revoked' } });
  });
});

describe('userLookup', () => {
  it.each<[Variants['userLookup'], unknown]>([
    ['data', { data: { exists: true, user_id: 'usr_0001' } }],
    ['data-without-exists', { data: { user_id: 'usr_0001' } }],
    ['bare', { user_id: 'usr_0001' }],
  ])('%s', async (userLookup, expected) => {
    const service = await start({ variants: { userLookup } });
    const found = await answer(service, '/users/lookup?email=lead@example.com');
    expect(found).toMatchObject(expected as object);
    expect('exists' in (found.data ?? found)).toBe(userLookup === 'data');
    // The contract shows the response for an unknown user, so it never varies.
    expect(await answer(service, '/users/lookup?email=nobody@example.com')).toEqual({
      data: { exists: false },
    });
  });
});

describe('campaignRequestList', () => {
  it.each<[Variants['campaignRequestList'], unknown]>([
    ['paginated', { data: expect.any(Array), pagination: expect.any(Object) }],
    ['data', { data: expect.any(Array) }],
    ['bare', expect.any(Array)],
  ])('%s', async (campaignRequestList, expected) => {
    const service = await start({ variants: { campaignRequestList } });
    const list = await answer(service, '/campaign-requests');
    expect(list).toEqual(expected);
    expect(Array.isArray(list) ? list : list.data).toHaveLength(24);
  });
});

describe('lastCursor', () => {
  it.each<[Variants['lastCursor'], (sent: string) => object]>([
    ['null', () => ({ cursor: null, has_more: false })],
    ['absent', () => ({ has_more: false })],
    ['empty', () => ({ cursor: '', has_more: false })],
    ['repeated', (cursor) => ({ cursor, has_more: false })],
  ])('%s', async (lastCursor, expected) => {
    const service = await start({ screens: 3, variants: { lastCursor } });
    const first = await answer(service, '/screens?limit=2');
    const last = await answer(service, `/screens?limit=2&cursor=${first.pagination.cursor}`);
    expect(last.pagination).toEqual({ ...expected(first.pagination.cursor), total_count: 3 });
    const single = await answer(service, '/screens');
    expect(single.pagination).toMatchObject(expected(single.pagination.cursor));
  });
});

describe('revokeAnswer', () => {
  it('empty: status 204 without a body', async () => {
    const service = await start({ variants: { revokeAnswer: 'empty' } });
    await service.call('POST', '/coupons', { body: coupon });
    const reply = await service.call('POST', '/coupons/C/revoke');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await answer(service, '/coupons/C')).toMatchObject({ status: 'revoked' });
  });
});

describe('refusedCredentials', () => {
  it.each<Variants['refusedCredentials']>(['401', '400', '403'])('%s', async (status) => {
    const { call } = await start({ variants: { refusedCredentials: status } });
    const body = { client_id: 'sandbox-full', client_secret: 'wrong' };
    problemDetail(await call('POST', '/oauth/token', { body }), Number(status));
  });
});

describe('invalidToken', () => {
  it.each<Variants['invalidToken']>(['401', '403'])('%s', async (status) => {
    const { call } = await start({ variants: { invalidToken: status } });
    for (const token of ['svc_unknown', 'unknown', null]) {
      problemDetail(await call('GET', '/screens', { token }), Number(status));
    }
  });
});

describe('invalidParameter', () => {
  it.each<Variants['invalidParameter']>(['400', '422'])('%s', async (status) => {
    const { call } = await start({ variants: { invalidParameter: status } });
    problemDetail(await call('GET', '/screens?limit=0'), Number(status));
    problemDetail(await call('GET', '/screens?bbox=1'), Number(status));
    problemDetail(await call('GET', '/screens?cursor=nonsense'), Number(status));
    problemDetail(await call('GET', '/campaign-requests?from=monday'), Number(status));
    problemDetail(await call('POST', '/coupons', { body: {} }), Number(status));
    // For these, the contract says 400.
    const tooLarge = { ...coupon, discount_value: 101 };
    problemDetail(await call('POST', '/coupons', { body: tooLarge }), 400);
  });
});

describe('variants', () => {
  it('are the assumed ones by default', () => {
    const { variants } = createSandbox({ variants: { eventId: 'absent' } });
    const assumed = Object.entries(assumptions).map(([name, { accepted }]) => [name, accepted[0]]);
    expect(variants).toEqual({ ...Object.fromEntries(assumed), eventId: 'absent' });
  });

  it('that are unknown are rejected with a list of known ones', () => {
    expect(() => createSandbox({ variants: { lastCursor: 'none' as 'null' } })).toThrow(
      'variant lastCursor must be one of null, absent, empty, repeated, not none.',
    );
    expect(() => createSandbox({ variants: { cursor: 'null' } as object })).toThrow(
      'Unknown variant cursor. Known: singleRecord, userLookup,',
    );
  });
});
