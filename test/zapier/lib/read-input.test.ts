import { describe, expect, it } from '@jest/globals';
import { InputError, operations } from '@screen-advertising/core';
import { readInput } from '../../../packages/zapier-screen-advertising/src/lib/read-input.ts';

const createCoupon = operations['coupon.create'];

describe('readInput', () => {
  it('takes only the fields of the operation, and of them those that are filled in', () => {
    const input = readInput(operations['screen.list'], {
      city: 'Berlin',
      country: '',
      orientation: null,
      bbox: undefined,
      name: 'Central Station',
    });
    expect(input).toEqual({ city: 'Berlin' });
  });

  it('reads numbers that came as text', () => {
    const input = readInput(createCoupon, { discount_value: '12.5', max_redemptions: '3' });
    expect(input).toEqual({ discount_value: 12.5, max_redemptions: 3 });
  });

  it('leaves text that is no number to the check of the input', () => {
    expect(readInput(createCoupon, { discount_value: 'much' })).toEqual({ discount_value: 'much' });
  });

  it('keeps text as it is, also when it looks like a number', () => {
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

  it('takes JSON that is already read', () => {
    const lead_metadata = { crm_id: '42' };
    expect(readInput(createCoupon, { lead_metadata })).toEqual({ lead_metadata });
  });

  it('names the field whose JSON cannot be read, and shows how to write it', () => {
    const read = () => readInput(createCoupon, { lead_metadata: '{crm_id: 42}' });
    expect(read).toThrow(InputError);
    expect(read).toThrow(
      'Create Coupon was not sent: lead_metadata must be JSON, such as {"crm_id":"42"}, or "text" in double quotes.',
    );
  });
});
