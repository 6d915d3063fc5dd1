import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { readInput } from '../../../packages/zapier-screen-advertising/src/lib/read-input.ts';

const createCoupon = operations['coupon.create'];
const complete = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };

describe('readInput', () => {
  it('takes only the fields of the operation, and only those that are filled in', () => {
    const input = readInput(operations['screen.list'], {
      city: 'Berlin',
      country: '',
      orientation: null,
      bbox: undefined,
      name: 'Central Station',
    });
    expect(input).toEqual({ city: 'Berlin' });
  });

  it('reads numbers sent as text', () => {
    const input = readInput(createCoupon, { discount_value: '12.5', max_redemptions: '3' });
    expect(input).toEqual({ discount_value: 12.5, max_redemptions: 3 });
  });

  it.each(['25 %', '10,5', '1 000', '€25', '1e3', 'much', '0x10'])(
    'says how to write a number when %s is given',
    (given) => {
      expect(() => readInput(createCoupon, { ...complete, discount_value: given })).toThrow(
        `Create Coupon was not sent: discount_value must be a plain number such as 25 or 12.5, without units, spaces, or commas, not "${given}".`,
      );
    },
  );

  it.each([
    ['percent', 'percent'],
    ['Amount in Cents', 'amount_cents'],
    [' free days ', 'free_days'],
  ])('takes a choice by its value or its label: %s', (given, discount_type) => {
    expect(readInput(createCoupon, { discount_type: given })).toEqual({ discount_type });
  });

  it('names the choices by their labels', () => {
    expect(() => readInput(createCoupon, { ...complete, discount_type: 'half' })).toThrow(
      'discount_type must be one of Percent, Amount in Cents, Free Days, not "half".',
    );
  });

  it('refuses a number that has already lost digits', () => {
    const vat_uid = JSON.parse('12345678901234567890');
    expect(() => readInput(operations['user.lookup'], { vat_uid })).toThrow(
      'Look Up User was not sent: vat_uid has too many digits for a number: map it as text to keep them all.',
    );
  });

  it('keeps text as it is, even if it looks like a number', () => {
    expect(readInput(createCoupon, { code: '0042' })).toEqual({ code: '0042' });
    expect(readInput(createCoupon, { code: 42 })).toEqual({ code: '42' });
  });

  it.each([
    ['2027-03-01', '2027-03-01'],
    ['2027-03-01T00:00:00+13:00', '2027-03-01'],
    ['2027-03-31T23:30:00-08:00', '2027-03-31'],
  ])('takes the day that a person meant by %s', (written, day) => {
    expect(readInput(operations['screen.availability'], { from: written })).toEqual({ from: day });
  });

  it.each([
    ['{"crm_id":"42"}', { crm_id: '42' }],
    ['[1,2]', [1, 2]],
    ['"spring"', 'spring'],
  ])('reads JSON %s', (text, value) => {
    expect(readInput(createCoupon, { lead_metadata: text })).toEqual({ lead_metadata: value });
  });

  it('takes JSON that is already parsed', () => {
    const lead_metadata = { crm_id: '42' };
    expect(readInput(createCoupon, { lead_metadata })).toEqual({ lead_metadata });
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
      'Create Coupon was not sent: discount_type must be one of Percent, Amount in Cents, Free Days, not "half"; discount_value must be a plain number such as 25 or 12.5, without units, spaces, or commas, not "much"; lead_email is required; max_redemptions must be at least 1.',
    );
  });
});
