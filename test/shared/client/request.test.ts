import { describe, expect, it } from '@jest/globals';
import { allFields, InputError, type Operation, operations } from '@screen-advertising/core';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';

const bench = useBench();

/** The error for an invalid input, as a person reads it. Nothing is sent. */
async function refusal(operation: Operation, input: unknown): Promise<string> {
  const error = await rejection(bench.client().call(operation, input));
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ code: 'invalid_input', isRetryable: false });
  expect(error).not.toHaveProperty('status');
  expect(bench.service.received).toEqual([]);
  return (error as InputError).message;
}

describe('the input of List Screens (sections 4.2 and 8)', () => {
  it.each([
    [{ limit: 0 }, 'limit must be at least 1, not 0'],
    [{ limit: 201 }, 'limit must be at most 200, not 201'],
    [{ limit: 1.5 }, 'limit must be a whole number from 1 to 200, not 1.5'],
    [{ limit: '50' }, 'limit must be a whole number from 1 to 200, not "50"'],
    [{ country: 'DEU' }, 'country must be a 2-letter country code, such as DE, not "DEU"'],
    [{ country: 'D1' }, 'country must be a 2-letter country code, such as DE, not "D1"'],
    [{ city: '' }, 'city must not be empty'],
    [{ city: '\ud800' }, 'city contains an incomplete character; type it again'],
    [{ cursor: '' }, 'cursor must not be empty'],
    [{ page: 2 }, 'page is not a field of this operation'],
  ])('%j: %s', async (input, message) => {
    expect(await refusal(operations['screen.list'], input)).toBe(
      `List Screens was not sent: ${message}.`,
    );
  });
});

describe('the input of Get Screen Availability (section 4.4)', () => {
  const dates = { screenId: 'scr_1', from: '2028-02-29', to: '2028-03-01' };
  const isNoDate = 'must be a calendar date in the format YYYY-MM-DD, such as 2026-03-31';

  it.each([
    [{ from: undefined }, 'from is required'],
    [{ to: undefined }, 'to is required'],
    [{ from: '2027-02-29' }, `from ${isNoDate}, not "2027-02-29"`],
    [{ to: '2027-3-1' }, `to ${isNoDate}, not "2027-3-1"`],
    [{ to: '2028-03-01T00:00:00Z' }, `to ${isNoDate}, not "2028-03-01T00:00:00Z"`],
    [{ screenId: undefined }, 'screenId is required'],
  ])('%j: %s', async (change, message) => {
    expect(await refusal(operations['screen.availability'], { ...dates, ...change })).toBe(
      `Get Screen Availability was not sent: ${message}.`,
    );
  });

  it('sends the dates as they are, also a leap day', async () => {
    bench.service.on('GET /screens/scr_1/availability', { body: { screen_id: 'scr_1' } });
    await bench.client().screens.availability(dates);
    expect(bench.service.received[0]?.path).toBe(
      '/screens/scr_1/availability?from=2028-02-29&to=2028-03-01',
    );
  });
});

describe('the input of Look Up User (section 4.8)', () => {
  it.each([
    [{}, 'email or vat_uid must be set, but not both'],
    [{ email: 'a@example.com', vat_uid: 'DE1' }, 'email or vat_uid must be set, but not both'],
    [{ email: 'a' }, 'email must be an email address such as lead@example.com, not "a"'],
    [{ vat_uid: '' }, 'vat_uid must not be empty'],
  ])('%j: %s', async (input, message) => {
    expect(await refusal(operations['user.lookup'], input)).toBe(
      `Look Up User was not sent: ${message}.`,
    );
  });

  it('sends one of the two', async () => {
    bench.service.on('GET /users/lookup', { body: { data: { exists: false } } });
    await bench.client().users.lookup({ email: 'a+b@example.com' });
    await bench.client().users.lookup({ vat_uid: 'DE 1' });
    expect(bench.service.received.map(({ path }) => path)).toEqual([
      '/users/lookup?email=a%2Bb%40example.com',
      '/users/lookup?vat_uid=DE%201',
    ]);
  });
});

describe('the input of List Campaign Requests (section 4.10)', () => {
  it('sends its filters as free text', async () => {
    bench.service.on('GET /campaign-requests', { body: [] });
    await bench.client().campaignRequests.list({ status: 'no_inventory', from: 'last week' });
    expect(bench.service.received[0]?.path).toBe(
      '/campaign-requests?status=no_inventory&from=last%20week',
    );
  });
});

describe('the input of Create Landing Link (section 4.9)', () => {
  it('is sent with the fields that the caller names', async () => {
    bench.service.on('POST /landing-links', { status: 201, body: { url: 'https://x.example' } });
    await bench.client().landingLinks.create({ utm_campaign: 'spring', n: [1, { a: null }] });
    await bench.client().landingLinks.create({});
    expect(bench.service.received.map(({ body }) => body)).toEqual([
      '{"utm_campaign":"spring","n":[1,{"a":null}]}',
      '{}',
    ]);
  });

  it.each([
    [{ '': 1 }, 'every field must have a name'],
    [{ a: () => 1 }, 'a must be a JSON value'],
    [[1], 'the input must be an object with fields and their values'],
  ])('%j: %s', async (input, message) => {
    expect(await refusal(operations['landingLink.create'], input)).toBe(
      `Create Landing Link was not sent: ${message}.`,
    );
  });
});

const create = operations['coupon.create'];
const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };

describe('the input of Create Coupon (sections 2.4, 4.5 and 8)', () => {
  const rules: readonly [Record<string, unknown>, string][] = [
    [{ discount_type: undefined }, 'discount_type is required'],
    [
      { discount_type: 'half' },
      'discount_type must be one of percent, amount_cents, free_days, not "half"',
    ],
    [{ discount_value: undefined }, 'discount_value is required'],
    [{ discount_value: 0 }, 'discount_value must be greater than 0, not 0'],
    [{ discount_value: -1 }, 'discount_value must be greater than 0, not -1'],
    [{ discount_value: '25' }, 'discount_value must be a number, not "25"'],
    [{ discount_value: Number.NaN }, 'discount_value must be a number, not NaN'],
    [{ discount_value: Number.POSITIVE_INFINITY }, 'discount_value must be a number, not Infinity'],
    [
      { discount_value: 100.5 },
      'discount_value must be at most 100 when the discount type is percent, not 100.5',
    ],
    [
      { discount_type: 'amount_cents', discount_value: 10.5 },
      'discount_value must be a whole number of cents, not 10.5',
    ],
    [
      { discount_type: 'free_days', discount_value: 1.5 },
      'discount_value must be a whole number of days, not 1.5',
    ],
    [{ lead_email: undefined }, 'lead_email is required'],
    [
      { lead_email: 'lead' },
      'lead_email must be an email address such as lead@example.com, not "lead"',
    ],
    [
      { lead_email: 'Anna <anna@example.com>' },
      'lead_email must be an email address such as lead@example.com, not "Anna <anna@example.com>"',
    ],
    [{ lead_email: '' }, 'lead_email must be an email address such as lead@example.com, not ""'],
    [
      { lead_email: '\ud800@example.com' },
      'lead_email contains an incomplete character; type it again',
    ],
    [{ code: '' }, 'code must not be empty'],
    [{ code: 'SPRING 25' }, 'code must have no spaces, such as SPRING-25, not "SPRING 25"'],
    [{ code: 5 }, 'code must be text, not 5'],
    [{ code: '..' }, 'code must not be only dots'],
    [{ code: 'A\udc00' }, 'code contains an incomplete character; type it again'],
    [{ max_redemptions: 0 }, 'max_redemptions must be at least 1, not 0'],
    [{ max_redemptions: 1001 }, 'max_redemptions must be at most 1000, not 1001'],
    [{ max_redemptions: 1.5 }, 'max_redemptions must be a whole number from 1 to 1000, not 1.5'],
    [{ valid_until: '' }, 'valid_until must not be empty'],
    [{ colour: 'red' }, 'colour is not a field of this operation'],
  ];

  it.each(rules)('%j: %s', async (change, message) => {
    expect(await refusal(create, { ...coupon, ...change })).toBe(
      `Create Coupon was not sent: ${message}.`,
    );
  });

  it('names all invalid fields at once', async () => {
    const error = await rejection(
      bench.client().call(create as Operation, { discount_type: 'half', max_redemptions: 0, x: 1 }),
    );
    expect(error).toMatchObject({
      field: 'discount_type',
      issues: [
        {
          field: 'discount_type',
          message: 'must be one of percent, amount_cents, free_days, not "half"',
        },
        { field: 'discount_value', message: 'is required' },
        { field: 'lead_email', message: 'is required' },
        { field: 'max_redemptions', message: 'must be at least 1, not 0' },
        { field: 'x', message: 'is not a field of this operation' },
      ],
    });
  });

  it.each([
    [{ discount_value: 0.01 }],
    [{ lead_email: 'jörg+werbung@münchen.example' }],
    [{ code: '.a' }],
    [{ code: 'FRÜHLING-25' }],
    [{ valid_until: 'whenever the service likes' }],
    [{ lead_metadata: { tags: ['a', null, 1.5, true], nested: {} } }],
  ])('sends %j unchanged', async (change) => {
    bench.service.on('POST /coupons', { status: 201, body: { code: 'A' } });
    await bench.client().call(create as Operation, { ...coupon, ...change });
    expect(JSON.parse(bench.service.received[0]?.body ?? '')).toEqual({ ...coupon, ...change });
    expect(bench.service.received[0]?.headers['content-type']).toBe('application/json');
  });

  describe('lead_metadata', () => {
    const circle: Record<string, unknown> = {};
    circle.self = [circle];
    const deep = Array.from({ length: 1000 }).reduce<unknown>((inside) => [inside], 1);

    it.each([
      ['a function', () => 1],
      ['a member that is undefined', { a: undefined }],
      ['a number that is none', { a: Number.NaN }],
      ['a big integer', 1n],
      ['a map, which JSON would empty', { a: new Map([[1, 2]]) }],
      ['a circle', circle],
      ['endless depth', deep],
      ['half of a character', { a: ['\ud800'] }],
    ])('refuses %s', async (_what, lead_metadata) => {
      expect(await refusal(create, { ...coupon, lead_metadata })).toBe(
        'Create Coupon was not sent: lead_metadata must be a JSON value.',
      );
    });

    it('may hold a member named __proto__, which is data like any other', async () => {
      bench.service.on('POST /coupons', { status: 201, body: {} });
      const lead_metadata: unknown = JSON.parse('{"__proto__":{"isAdmin":true}}');
      await bench.client().call(create as Operation, { ...coupon, lead_metadata });
      expect(bench.service.received[0]?.body).toContain('{"__proto__":{"isAdmin":true}}');
      expect({}).not.toHaveProperty('isAdmin');
    });
  });
});

describe('any input', () => {
  it.each([[null], [undefined], ['text'], [42], [[]]])('refuses %j', async (input) => {
    expect(await refusal(operations['screen.get'], input)).toBe(
      'Get Screen was not sent: the input must be an object with fields and their values.',
    );
  });

  it.each([operations['screen.list'], operations['landingLink.create']])(
    'refuses a Map and URL parameters, which hold no fields: $name',
    async (operation) => {
      for (const input of [new Map([['city', 'Berlin']]), new URLSearchParams('city=Berlin')]) {
        expect(await refusal(operation, input)).toBe(
          `${operation.title} was not sent: the input must be an object with fields and their values.`,
        );
      }
    },
  );

  it.each([operations['screen.get'], operations['landingLink.create']])(
    'refuses a member named __proto__ by name, even where any other name is allowed: $name',
    async (operation) => {
      const input: unknown = JSON.parse('{"screenId":"scr_1","__proto__":{"isAdmin":true}}');
      expect(await refusal(operation, input)).toBe(
        `${operation.title} was not sent: __proto__ is not a field of this operation.`,
      );
    },
  );
});

describe('an ID in a path', () => {
  it.each([
    [operations['screen.get'], 'screenId'],
    [operations['screen.availability'], 'screenId'],
    [operations['coupon.get'], 'code'],
    [operations['coupon.revoke'], 'code'],
    [operations['campaignRequest.get'], 'id'],
  ])(
    '$name: is refused when it would be read as a path step, or cannot be encoded',
    async (operation, name) => {
      const messages = {
        '.': 'must not be only dots',
        '..': 'must not be only dots',
        '': 'must not be empty',
        '\ud800': 'contains an incomplete character; type it again',
      };
      for (const [value, message] of Object.entries(messages)) {
        expect(await refusal(operation, { [name]: value, ...dates(operation) })).toBe(
          `${operation.title} was not sent: ${name} ${message}.`,
        );
      }
    },
  );
});

function dates(operation: Operation): Record<string, string> {
  return operation.name === 'screen.availability' ? { from: '2027-01-01', to: '2027-01-02' } : {};
}

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
