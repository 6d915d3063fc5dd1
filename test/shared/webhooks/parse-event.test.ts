import { fc, it } from '@fast-check/jest';
import { describe, expect } from '@jest/globals';
import { parseEvent } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import { cases, seed } from '../../support/tier.ts';
import { loosely, refusalOf, utf8 } from './delivery.ts';

const parse = (payload: unknown) => parseEvent(JSON.stringify(payload));

describe('the shapes of a delivery', () => {
  const record = { code: 'SPRING-25' };
  const names = ['type', 'event', 'event_type', 'event_name', 'topic'].map((member) => ({
    [member]: 'coupon.redeemed',
  }));
  const ids = [{ id: 'evt_1' }, { event_id: 'evt_1' }, { delivery_id: 'evt_1' }, {}];
  const shapes = [{ data: record }, { payload: record }, record];
  const variants = names.flatMap((name) =>
    ids.flatMap((id) => shapes.map((shape) => ({ ...id, ...name, ...shape }))),
  );

  it.each(variants)('are all read: %j', (payload) => {
    const event = parse(payload);
    expect(event.type).toBe('coupon.redeemed');
    const isFlat = 'code' in payload;
    const isTold = 'event_id' in payload || 'delivery_id' in payload || 'id' in payload;
    expect(event.id).toBe(isTold && !(isFlat && 'id' in payload) ? 'evt_1' : undefined);
    expect(event.data).toEqual(isFlat ? payload : record);
    expect(event.payload).toEqual(payload);
  });

  it.each([
    { event_type: 'coupon.redeemed', type: 'percent', event: 'Trade fair', code: 'A' },
    { topic: 'coupon.redeemed', type: 'webhook', event_name: 'Coupon redeemed', code: 'A' },
    { event_name: 'coupon.redeemed', topic: 'marketing.mail', type: 'led', code: 'A' },
    { event: 'coupon.redeemed', event_type: 'coupon.redeemed', topic: { id: 1 }, code: 'A' },
  ])('prefer the name that is known: %j', (payload) => {
    expect(parse(payload)).toMatchObject({ type: 'coupon.redeemed', data: payload });
  });

  it('recognize the name of a later event by its form', () => {
    expect(parse({ event: 'ping' }).type).toBe('ping');
    expect(parse({ type: 'led', topic: 'screen.added' }).type).toBe('screen.added');
    expect(parse({ event: 'Dr. No, 2 p.m.', event_type: 'screen.added' }).type).toBe(
      'screen.added',
    );
  });

  it("prefer the event's ID to the ID of its delivery", () => {
    expect(parse({ type: 'a.b', id: 'evt_1', delivery_id: 'dlv_1', data: {} }).id).toBe('evt_1');
    expect(parse({ type: 'a.b', event_id: 'evt_1', delivery_id: 'dlv_1' }).id).toBe('evt_1');
    expect(parse({ type: 'a.b', id: 'cpn_1', delivery_id: 'dlv_1' }).id).toBe('dlv_1');
  });

  it("never take a record's ID in a flat body for the event's ID", () => {
    expect(parse({ type: 'a.b', event_id: 'evt_1', id: 'cr_1' }).id).toBe('evt_1');
    expect(parse({ type: 'campaign_request.created', id: 'cr_1' }).id).toBeUndefined();
  });

  it.each([null, [], 'text', '{"code":"A"}', 5])(
    'take the whole body when data or payload is %j',
    (value) => {
      for (const member of ['data', 'payload']) {
        const payload = { type: 'a.b', id: 'cpn_1', [member]: value };
        expect(parse(payload)).toMatchObject({ data: payload, id: undefined });
      }
    },
  );

  it.each([
    [17, '17'],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
    [true, undefined],
  ])('read the ID %j as %j', (id, expected) => {
    expect(parse({ type: 'a.b', id, data: {} }).id).toBe(expected);
  });

  it('keep every digit of large integers', () => {
    const event = parseEvent('{"type":"a.b","id":9007199254740993,"data":{"n":-9007199254740993}}');
    expect(event.id).toBe('9007199254740993');
    expect(event.data).toEqual({ n: '-9007199254740993' });
  });

  it('may be bytes, and start with a byte order mark', () => {
    expect(parseEvent(utf8('{"type":"a.b","city":"Łódź"}')).data).toMatchObject({ city: 'Łódź' });
    expect(parseEvent(utf8('\uFEFF{"type":"a.b"}')).type).toBe('a.b');
    expect(parseEvent('\uFEFF{"type":"a.b"}').type).toBe('a.b');
  });

  it('may be nested deeper than any stack', () => {
    const depth = 200_000;
    const nested = `${'['.repeat(depth)}1234567890123456789${']'.repeat(depth)}`;
    expect(parseEvent(`{"id":"evt_1","type":"a.b","data":{"n":${nested}}}`).id).toBe('evt_1');
  });

  it('do not reach the prototype', () => {
    const event = parseEvent('{"type":"a.b","__proto__":{"id":"forged"}}');
    expect(event.id).toBeUndefined();
    expect(Object.getPrototypeOf(event.data)).toBe(Object.getPrototypeOf(JSON.parse('{}')));
  });
});

describe('a body that holds no event, or more than one', () => {
  const notOneName =
    'it names no event, or several, under "type", "event", "event_type", "event_name", "topic"';

  it.each<[string, Uint8Array | string, string]>([
    ['an empty text', '', 'it is empty'],
    ['empty bytes', new Uint8Array(0), 'it is empty'],
    ['HTML', '<html>', 'it is not JSON'],
    ['cut JSON', '{"type":"a.b"', 'it is not JSON'],
    ['a form', 'type=a.b&id=1', 'it is not JSON'],
    ['bytes that are not UTF-8', Uint8Array.from([0x22, 0xff, 0x22]), 'it is not UTF-8'],
    ['a list', '[]', 'it is not a JSON object'],
    ['null', 'null', 'it is not a JSON object'],
    ['a number', '12345678901234567890', 'it is not a JSON object'],
    ['no name', '{"id":"evt_1"}', notOneName],
    ['an empty name', '{"type":"","event":null}', notOneName],
    ['a name that is not text', '{"type":{"a":1}}', notOneName],
    ['two known names', '{"type":"campaign.paid","topic":"coupon.redeemed"}', notOneName],
    [
      'two names that are not known',
      '{"event":"screen.added","event_type":"screen.sold","type":"led"}',
      notOneName,
    ],
    ['two words of which either may be a name', '{"type":"webhook","event":"ping"}', notOneName],
    ['endless brackets', `${'['.repeat(200_000)}1234567890123456789`, 'it is not JSON'],
  ])('is refused: %s', (_name, body, why) => {
    const refusal = refusalOf(() => parseEvent(body));
    expect(refusal?.reason).toBe('malformed_body');
    expect(refusal?.message).toBe(`The body of the delivery cannot be read: ${why}.`);
  });

  it('is refused with a hint when it was already parsed', () => {
    const refusal = refusalOf(() => loosely(parseEvent)({ type: 'a.b' }));
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toMatch(/^body must be the raw bytes or text of the request/);
  });
});

describe('any body', () => {
  const body = fc.oneof(
    fc.json(),
    fc.uint8Array(),
    fc.string(),
    fc
      .record(
        { type: fc.jsonValue(), event: fc.jsonValue(), id: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((payload) => JSON.stringify(payload)),
  );

  it.prop([body], { numRuns: cases(10_000), seed })(
    'gives an event with a name, or a typed error',
    (received) => {
      const outcome = { type: '' };
      const refusal = refusalOf(() => Object.assign(outcome, parseEvent(received)));
      expect(refusal?.reason ?? 'event').toBe(outcome.type === '' ? 'malformed_body' : 'event');
    },
  );
});

const key = (payload: unknown) => {
  const body = JSON.stringify(payload);
  return eventKey(parseEvent(body), body);
};

describe('the key of an event', () => {
  it('is the same for a duplicate whose record the service rewrites', () => {
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
        expect(key({ ...first, [name]: 'coupon.expired' })).not.toBe(key(first));
        expect(key(first)).toBe(key({ type: 'coupon.redeemed', id: 'evt_1', data: {} }));
      }
    },
  );

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
});
