import { describe, expect, it } from '@jest/globals';
import { parseEvent } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import { loosely, refusalOf, utf8 } from './delivery.ts';

const key = (payload: unknown) => {
  const body = JSON.stringify(payload);
  return eventKey(parseEvent(body), body);
};

describe('the key of an event', () => {
  it('is the same for a duplicate, even when the service rewrites its body', () => {
    const first = { id: 'evt_1', type: 'a.b', data: { n: 1 }, attempt: 1 };
    expect(key({ ...first, attempt: 2 })).toBe(key(first));
    expect(key({ event: 'a.b', event_id: 'e', n: 1 })).toBe(key({ event: 'a.b', event_id: 'e' }));
  });

  it.each(['id', 'event_id', 'delivery_id'])(
    'comes from %s, however the rest is written',
    (member) => {
      for (const [name, data] of [
        ['event_type', 'data'],
        ['topic', 'payload'],
      ] as const) {
        const first = { [member]: 'evt_1', [name]: 'coupon.redeemed', [data]: { code: 'A' } };
        expect(key({ ...first, attempt: 2 })).toBe(key({ ...first, attempt: 1 }));
        expect(key({ ...first, [member]: 'evt_2' })).not.toBe(key(first));
        expect(key(first)).toBe(key({ type: 'coupon.redeemed', id: 'evt_1', data: {} }));
      }
    },
  );

  it('differs between IDs, and between events that share one', () => {
    const event = { id: 'evt_1', type: 'campaign_request.created', data: {} };
    expect(key({ ...event, id: 'evt_2' })).not.toBe(key(event));
    expect(key({ ...event, type: 'campaign_request.rejected' })).not.toBe(key(event));
  });

  it('comes from the body when there is no ID', () => {
    const event = { type: 'coupon.redeemed', data: { code: 'A' } };
    expect(key(event)).toBe(key(event));
    expect(key({ ...event, data: { code: 'B' } })).not.toBe(key(event));
    expect(key(event)).toMatch(/^body:[\w-]{43}$/);
  });

  it("comes from the body when the ID may be the record's", () => {
    const redeemed = { type: 'coupon.redeemed', id: 'cpn_1', redemptions: 1 };
    expect(key({ ...redeemed, redemptions: 2 })).not.toBe(key(redeemed));
    expect(key(redeemed)).toBe(key(redeemed));
  });

  it('is the same for a body as text and as bytes', () => {
    const body = '{"type":"a.b"}';
    expect(eventKey(parseEvent(body), utf8(body))).toBe(eventKey(parseEvent(body), body));
  });

  it('needs the raw body, even when it comes from the ID', () => {
    const event = parseEvent('{"id":"evt_1","type":"a.b","data":{}}');
    expect(refusalOf(() => loosely((body: never) => eventKey(event, body))({}))?.reason).toBe(
      'invalid_argument',
    );
  });

  it('is short, however long the ID', () => {
    expect(key({ id: 'x'.repeat(100_000), type: 'a.b', data: {} })).toMatch(/^id:[\w-]{43}$/);
  });
});
