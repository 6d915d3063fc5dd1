import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import { withAmounts } from '../../../packages/zapier-screen-advertising/src/lib/amounts.ts';
import { inputFields } from '../../../packages/zapier-screen-advertising/src/lib/input-fields.ts';
import {
  outputFields,
  outputFieldsWithScreen,
} from '../../../packages/zapier-screen-advertising/src/lib/output-fields.ts';

describe('inputFields', () => {
  it('gives each kind of field the matching Zapier type', () => {
    const fields = [
      ...inputFields(operations['coupon.create']),
      ...inputFields(operations['screen.availability']),
    ];
    expect(Object.fromEntries(fields.map(({ key, type }) => [key, type]))).toEqual({
      discount_type: 'string',
      discount_value: 'number',
      lead_email: 'string',
      code: 'string',
      max_redemptions: 'integer',
      valid_until: 'string',
      lead_metadata: 'string',
      screenId: 'string',
      from: 'datetime',
      to: 'datetime',
    });
  });

  it('takes JSON as keys and values', () => {
    const metadata = inputFields(operations['coupon.create']).at(-1);
    expect(metadata).toMatchObject({ key: 'lead_metadata', dict: true });
    expect(metadata).not.toHaveProperty('placeholder');
  });

  it('leaves out fields on request, and adds what only Zapier can do', () => {
    const fields = inputFields(operations['screen.availability'], {
      omit: ['from', 'to'],
      extras: { screenId: { dynamic: 'screen_list.id.name' } },
    });
    expect(fields).toEqual([
      expect.objectContaining({ key: 'screenId', label: 'Screen', dynamic: 'screen_list.id.name' }),
    ]);
  });
});

describe('outputFields', () => {
  it('names the fields of a record with their types, and those that distinguish records', () => {
    expect(outputFields(operations['user.lookup'], ['user_id'])).toEqual([
      { key: 'exists', label: 'Exists', type: 'boolean' },
      { key: 'user_id', label: 'User ID', type: 'string', primary: true },
      { key: 'registered_at', label: 'Registered At', type: 'datetime' },
      { key: 'has_bookings', label: 'Has Bookings', type: 'boolean' },
      { key: 'attribution', label: 'Attribution', dict: true },
    ]);
  });

  it('names the unit of amounts, since Zapier shows nothing but the label', () => {
    const fields = outputFieldsWithScreen(tasks['screen.findAvailable'], []);
    const amounts = fields.filter(({ key }) => /price/.test(key));
    expect(amounts.map(({ label }) => label)).toEqual([
      'Price per Day in Cents',
      'Price per Day in Currency Units',
      'Total Price in Cents',
      'Total Price in Currency Units',
      'Screen Price per Day in Cents',
      'Screen Price per Day in Currency Units',
    ]);
  });
});

describe('withAmounts', () => {
  it.each([
    [12_900, 129],
    [12_999, 129.99],
    [1, 0.01],
    [0, 0],
    [-250, -2.5],
  ])('adds %d cents as %d', (price_per_day_cents, price_per_day) => {
    const record = { id: 'scr_1', price_per_day_cents };
    expect(withAmounts(record)).toEqual({ ...record, price_per_day });
  });

  it.each([null, '12900', undefined])('ignores %j', (total_price_cents) => {
    expect(withAmounts({ total_price_cents })).toEqual({ total_price_cents });
  });

  it('leaves the fields of the service unchanged', () => {
    const record = { price_per_day: '129 EUR', price_per_day_cents: 12_900 };
    expect(withAmounts(record)).toEqual(record);
  });
});
