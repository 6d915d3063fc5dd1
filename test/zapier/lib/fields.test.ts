import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '@screen-advertising/core';
import {
  createForm,
  type FormAdditions,
  outputFields,
} from '../../../packages/zapier-screen-advertising/src/lib/fields.ts';
import { computePeriod } from '../../../packages/zapier-screen-advertising/src/lib/period.ts';

const inputFields = (operation: Operation, parts?: FormAdditions) =>
  createForm(operation, parts).fields;

describe('the fields of a form', () => {
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
      when_empty: 'string',
      screen_id: 'string',
      from: 'datetime',
      to: 'datetime',
    });
  });

  it('takes JSON as keys and values', () => {
    const all = inputFields(operations['coupon.create']);
    const metadata = all.find(({ key }) => key === 'lead_metadata');
    expect(metadata).toMatchObject({ dict: true });
    expect(metadata).not.toHaveProperty('placeholder');
  });

  it('leaves out fields on request, and adds what only Zapier can do', () => {
    const fields = inputFields(operations['screen.availability'], {
      omit: ['from', 'to'],
      extras: { screenId: { dynamic: 'screen_list.id.name' } },
    });
    expect(fields).toEqual([
      expect.objectContaining({
        key: 'screen_id',
        label: 'Screen',
        dynamic: 'screen_list.id.name',
      }),
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
});

const label = 'Find Available Screens';

/** In Auckland it is already the next day, in Los Angeles still the day before. */
const lateInLondon = Date.parse('2027-02-27T23:30:00Z');
const earlyInLondon = Date.parse('2027-02-28T03:00:00Z');

const periodOf = (read: object, timezone: string | null, now: number) =>
  computePeriod({ ...read }, label, timezone, now);

describe('the next days', () => {
  it.each([
    [1, 'UTC', lateInLondon, '2027-02-27', '2027-02-27'],
    [2, 'Pacific/Auckland', lateInLondon, '2027-02-28', '2027-03-01'],
    [2, 'America/Los_Angeles', earlyInLondon, '2027-02-27', '2027-02-28'],
    [366, 'UTC', lateInLondon, '2027-02-27', '2028-02-27'],
    // The clocks change on 2027-03-28.
    [31, 'Europe/Berlin', Date.parse('2027-03-01T12:00:00Z'), '2027-03-01', '2027-03-31'],
  ])('%d days in %s', (next_days, timezone, now, from, to) => {
    expect(periodOf({ next_days }, timezone, now)).toEqual({ from, to });
  });

  it('keep the other fields, and leave dates as they are', () => {
    const period = { city: 'Berlin', from: '2027-02-27', to: '2027-03-12' };
    expect(periodOf({ city: 'Berlin', next_days: 14 }, 'UTC', lateInLondon)).toEqual(period);
    expect(periodOf(period, null, lateInLondon)).toEqual(period);
  });

  it.each([
    ['Mars/Olympus', '"Mars/Olympus" is unknown'],
    [null, 'it has none'],
  ])('need a time zone that exists, not %j', (zone, why) => {
    expect(() => periodOf({ next_days: 2 }, zone, lateInLondon)).toThrow(
      `Find Available Screens was not sent: next_days needs the time zone of the Zap, and ${why}: choose another in the settings of the Zap, or fill in From and To.`,
    );
  });
});
