import { describe, expect, it } from '@jest/globals';
import { allFields } from '@screen-advertising/core';
import { useBench } from '../support/bench.ts';

const bench = useBench();

describe('a single record', () => {
  it.each([
    ['bare', '{"id":"scr_1"}'],
    ['under data', '{"data":{"id":"scr_1"}}'],
    ['under data next to unknown members', '{"meta":{"took":1},"data":{"id":"scr_1"}}'],
    ['after a byte order mark', '\ufeff{"id":"scr_1"}'],
  ])('is read %s', async (_what, body) => {
    bench.service.on('GET /screens/scr_1', { body });
    expect(await bench.client().screens.get({ screenId: 'scr_1' })).toEqual({ id: 'scr_1' });
  });

  it('stays whole when it has its own member "data"', async () => {
    const record = { code: 'A', data: { a: 1 } };
    bench.service.on('GET /coupons/A', { body: record });
    expect(await bench.client().coupons.get({ code: 'A' })).toEqual(record);
  });

  it('is untouched: unknown, missing, null and odd values, and every digit', async () => {
    const body =
      '{"id":null,"latitude":"52,5","orientation":["x"],"price_per_day_cents":12345678901234567890,"created_at":0,"new":{"constructor":1,"__proto__":{"isAdmin":true}},"ad_sov_pct":0.1}';
    bench.service.on('GET /screens/scr_1', { body });
    const record = await bench.client().screens.get({ screenId: 'scr_1' });
    expect(record).toMatchObject({
      id: null,
      latitude: '52,5',
      orientation: ['x'],
      price_per_day_cents: '12345678901234567890',
      created_at: 0,
      ad_sov_pct: 0.1,
    });
    expect(Object.keys(allFields(record).new as object)).toEqual(['constructor', '__proto__']);
    expect({}).not.toHaveProperty('isAdmin');
  });

  it('may have another success status or another content type', async () => {
    bench.service.on('GET /screens/scr_1', {
      status: 203,
      headers: { 'content-type': 'text/plain' },
      body: '{"id":"scr_1"}',
    });
    expect(await bench.client().screens.get({ screenId: 'scr_1' })).toEqual({ id: 'scr_1' });
  });
});

describe('the lookup of a user (section 2.5)', () => {
  const user = { user_id: 'usr_1', has_bookings: true };

  it.each([
    ['an unknown one', { data: { exists: false } }, { exists: false }],
    ['under data with exists', { data: { exists: true, ...user } }, { exists: true, ...user }],
    ['under data without exists', { data: user }, user],
    ['bare', user, user],
  ])('%s', async (_what, body, record) => {
    bench.service.on('GET /users/lookup', { body });
    expect(await bench.client().users.lookup({ vat_uid: 'DE1' })).toEqual(record);
  });
});

describe('the response to Revoke Coupon, which is not shown (section 4.7)', () => {
  it.each([
    ['the record', { body: { code: 'A', status: 'revoked' } }, { code: 'A', status: 'revoked' }],
    ['an empty body', { body: '' }, { code: 'A' }],
    ['white space', { body: ' \n' }, { code: 'A' }],
    ['status 204', { status: 204 }, { code: 'A' }],
  ])('may be %s', async (_what, answer, record) => {
    bench.service.on('POST /coupons/A/revoke', answer);
    expect(await bench.client().coupons.revoke({ code: 'A' })).toEqual(record);
    const [received] = bench.service.received;
    expect(received?.body).toBe('');
    expect(received?.headers).not.toHaveProperty('content-type');
  });
});

describe('a landing link (section 4.9)', () => {
  it('has its URL and any other fields', async () => {
    const link = { url: 'https://x.example/?utm_medium=partner_api', id: 1 };
    bench.service.on('POST /landing-links', { status: 201, body: link });
    expect(await bench.client().landingLinks.create({ utm_campaign: 'spring' })).toEqual(link);
  });
});
