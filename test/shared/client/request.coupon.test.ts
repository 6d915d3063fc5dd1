import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '@screen-advertising/core';
import { refusalBy, rejection, useBench } from '../support/bench.ts';

const bench = useBench();
const refusal = refusalBy(bench);

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
