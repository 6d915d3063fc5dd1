import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { withPeriod } from '../../../packages/zapier-screen-advertising/src/lib/fields/dates.ts';
import { inputFields } from '../../../packages/zapier-screen-advertising/src/lib/fields/input-fields.ts';
import {
  outputFields,
  outputFieldsWithScreen,
} from '../../../packages/zapier-screen-advertising/src/lib/fields/output-fields.ts';
import { readInput } from '../../../packages/zapier-screen-advertising/src/lib/fields/read-input.ts';

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
      valid_until: 'datetime',
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
      { key: 'referred_by_you', label: 'Referred by You', type: 'boolean' },
      { key: 'attribution', label: 'Attribution', dict: true },
    ]);
  });

  it('names the unit of amounts, since Zapier shows nothing but the label', () => {
    const fields = outputFieldsWithScreen(compoundOperations['screen.findAvailable'], []);
    const amounts = fields.filter(({ key }) => /price/.test(key));
    expect(amounts.map(({ label }) => label)).toEqual([
      'Price per Day in Currency Units',
      'Price per Day in Cents',
      'Total Price in Currency Units',
      'Total Price in Cents',
      'Screen Price per Day in Currency Units',
      'Screen Price per Day in Cents',
    ]);
  });
});

const createCoupon = operations['coupon.create'];
const complete = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };

describe('readInput', () => {
  it.each(['1,000', '1.000,5', '1 000', '€ 25', '1e3', '0x10'])(
    'says how to write a number when %s is given',
    (given) => {
      expect(() => readInput(createCoupon, { ...complete, discount_value: given })).toThrow(
        `Create Coupon was not sent: discount_value must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators, not "${given}".`,
      );
    },
  );

  it.each([
    ['percent', 'percent'],
    ['Amount in Currency Units', 'amount_cents'],
    [' free days ', 'free_days'],
  ])('takes a choice by its value or its label: %s', (given, discount_type) => {
    expect(readInput(createCoupon, { discount_type: given })).toEqual({ discount_type });
  });

  it('names the choices by their labels', () => {
    expect(() => readInput(createCoupon, { ...complete, discount_type: 'half' })).toThrow(
      'discount_type must be one of Percent, Amount in Currency Units, Free Days, not "half".',
    );
  });

  it('refuses a number that has already lost digits', () => {
    const vat_uid = JSON.parse('12345678901234567890');
    expect(() => readInput(operations['user.lookup'], { vat_uid })).toThrow(
      'Look Up User was not sent: vat_uid has too many digits for a number: pass it as text to keep them all.',
    );
  });

  it.each([
    ['2027-03-01T00:00:00+13:00', '2027-02-28'],
    ['2027-03-31T23:30:00-08:00', '2027-04-01'],
  ])('takes the day in the zone of the Zap of %s', (written, day) => {
    const read = readInput(
      operations['screen.availability'],
      { from: written },
      [],
      'Europe/Berlin',
    );
    expect(read).toEqual({ from: day });
  });

  it.each([
    ['{"crm_id":"42"}', { crm_id: '42' }],
    ['[1,2]', [1, 2]],
    ['"spring"', 'spring'],
  ])('reads JSON %s', (text, value) => {
    expect(readInput(createCoupon, { lead_metadata: text })).toEqual({ lead_metadata: value });
  });

  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['{"crm_id":12345678901234567890}', { crm_id: '12345678901234567890' }],
    [{ crm_id: '12345678901234567890' }, { crm_id: '12345678901234567890' }],
  ])('keeps every digit of %j', (lead_metadata, value) => {
    expect(readInput(createCoupon, { lead_metadata })).toEqual({ lead_metadata: value });
  });

  it.each(['Spring fair', '[VIP] from the fair', '{crm_id: 42}', '50 % off'])(
    'takes plain text: %s',
    (lead_metadata) => {
      expect(readInput(createCoupon, { lead_metadata })).toEqual({ lead_metadata });
    },
  );

  it.each(['{"crm_id": 42', '["a", "b"', '[{"a": 1}'])(
    'refuses what was meant as JSON: %s',
    (lead_metadata) => {
      expect(() => readInput(createCoupon, { ...complete, lead_metadata })).toThrow(
        'Create Coupon was not sent: lead_metadata starts like JSON but is not valid JSON, such as {"crm_id": "42"}.',
      );
    },
  );

  it('reports every fault at once, but each field once', () => {
    const input = { discount_type: 'half', discount_value: 'much', max_redemptions: '0' };
    expect(() => readInput(createCoupon, input)).toThrow(
      'Create Coupon was not sent: discount_type must be one of Percent, Amount in Currency Units, Free Days, not "half"; discount_value must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators, not "much"; lead_email is required; max_redemptions must be at least 1, not 0.',
    );
  });
});

const label = 'Find Available Screens';

/** In Auckland it is already the next day, in Los Angeles still the day before. */
const lateInLondon = Date.parse('2027-02-27T23:30:00Z');
const earlyInLondon = Date.parse('2027-02-28T03:00:00Z');

function periodOf(inputData: Record<string, unknown>, timezone: string | null, now: number) {
  const meta = { timezone } as Parameters<typeof withPeriod>[0]['meta'];
  return withPeriod({ inputData, meta }, label, now);
}

describe('the next days', () => {
  it.each([
    [1, 'UTC', lateInLondon, '2027-02-27', '2027-02-27'],
    [2, null, lateInLondon, '2027-02-27', '2027-02-28'],
    [2, 'Pacific/Auckland', lateInLondon, '2027-02-28', '2027-03-01'],
    [2, 'America/Los_Angeles', earlyInLondon, '2027-02-27', '2027-02-28'],
    [366, 'UTC', lateInLondon, '2027-02-27', '2028-02-27'],
    // The clocks change on 2027-03-28.
    [31, 'Europe/Berlin', Date.parse('2027-03-01T12:00:00Z'), '2027-03-01', '2027-03-31'],
  ])('%d days in %s', (next_days, timezone, now, from, to) => {
    expect(periodOf({ next_days }, timezone, now)).toEqual({ from, to });
  });

  it.each([' 14 ', '14.0', 14])('are read from %j', (next_days) => {
    const period = { city: 'Berlin', from: '2027-02-27', to: '2027-03-12' };
    expect(periodOf({ city: 'Berlin', next_days }, 'UTC', lateInLondon)).toEqual(period);
  });

  it.each(['  ', '', null, undefined])('are not used for %j', (next_days) => {
    const dates = { from: '2027-03-01', to: '2027-03-31' };
    expect(periodOf({ ...dates, next_days }, 'UTC', lateInLondon)).toEqual(dates);
  });

  it('need a time zone that exists', () => {
    expect(() => periodOf({ next_days: 2 }, 'Mars/Olympus', lateInLondon)).toThrow(
      'Find Available Screens was not sent: next_days needs the time zone of the Zap, and "Mars/Olympus" is unknown: choose another in the settings of the Zap, or fill in From and To.',
    );
  });

  it.each([0, -1, '1.5', '14 days', 3651, '1e3', true])('cannot be %j', (next_days) => {
    expect(() => periodOf({ next_days }, 'UTC', lateInLondon)).toThrow(
      `next_days must be a whole number from 1 to 3650, not "${next_days}".`,
    );
  });
});
