import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { formFields, readForm, shownFields } from '@screen-advertising/core/forms';

const create = operations['coupon.create'];
const available = compoundOperations['screen.findAvailable'];
const list = operations['screen.list'];

const amount = (discount_value: unknown) =>
  readForm(create, { discount_type: 'amount_cents', discount_value });
const isNoAmount =
  'must be an amount such as 150 or 12.50, greater than 0, with at most two decimals, not';

describe('an amount in currency units', () => {
  it.each<[entered: unknown, cents: number]>([
    ['150', 15_000],
    ['12.50', 1250],
    ['12,5', 1250],
    [' +0.01 ', 1],
    [150, 15_000],
    [12.5, 1250],
    // Each is a fraction of a cent away in floating point.
    [1.1, 110],
    [4.35, 435],
    ['1.00', 100],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%j is sent as %d cents', (entered, cents) => {
    expect(amount(entered)).toMatchObject({ discount_value: cents });
    expect(readForm(available, { budget_cents: entered })).toEqual({ budget_cents: cents });
  });

  it.each(['12.505', '1,000', '1.000', '1.000,50', '€ 150', '150 EUR', '25%', '0', '-5', '1e3'])(
    'cannot be %j',
    (entered) => {
      expect(() => amount(entered)).toThrow(`discount_value ${isNoAmount} "${entered}"`);
    },
  );

  it.each([0, -5, 12.505, 1e21, 90_071_992_547_409.92])('cannot be the number %d', (entered) => {
    expect(() => amount(entered)).toThrow(`discount_value ${isNoAmount} ${entered}`);
  });
});

it('every field in cents says in the form that it takes currency units', () => {
  const all = [...Object.values(operations), ...Object.values(compoundOperations)];
  const inCents = all
    .flatMap((task) => formFields(task))
    .filter(({ name, description }) => /_cents$|discount_value/.test(name + description));
  expect(inCents.length).toBeGreaterThan(0);
  for (const { name } of inCents) {
    const shown = all.flatMap((task) => shownFields(task)).find((field) => field.name === name);
    expect(shown?.description).toContain('in currency units');
    expect(shown?.description).not.toMatch(/\bcents?\b/i);
  }
});

describe('a number', () => {
  it.each([
    ['25%', 25],
    ['12,5 %', 12.5],
    ['25', 25],
  ])('in percent may be written %s', (entered, min_available_sov_pct) => {
    expect(readForm(available, { min_available_sov_pct: entered })).toEqual({
      min_available_sov_pct,
    });
    const coupon = { discount_type: 'Percent', discount_value: entered };
    expect(readForm(create, coupon)).toMatchObject({ discount_value: min_available_sov_pct });
  });

  it('of days has no percent sign', () => {
    expect(() => readForm(create, { discount_type: 'free_days', discount_value: '25%' })).toThrow(
      'must be a whole number such as 25, without units, spaces, or separators, not "25%"',
    );
  });

  it.each(['1,5', '1 000', '1,000'])('that must be whole cannot be %s', (limit) => {
    expect(() => readForm(list, { limit })).toThrow(`not "${limit}"`);
  });
});

describe('a date', () => {
  const period = (from: string) => readForm(available, { from });
  it.each([
    ['24.12.2026', '2026-12-24'],
    ['1. 3. 2027', '2027-03-01'],
    ['1.3.2027', '2027-03-01'],
    ['12/24/2026', '2026-12-24'],
    ['24/12/2026', '2026-12-24'],
    ['3/3/2027', '2027-03-03'],
    ['2027/3/1', '2027-03-01'],
    ['2027-3-1', '2027-03-01'],
    ['2027-03-01T00:00:00Z', '2027-03-01'],
    ['31.02.2027', undefined],
    ['24.12.26', undefined],
    ['tomorrow', undefined],
  ])('%s means %s, or is left to the check of the operation', (entered, day) => {
    expect(period(entered)).toEqual({ from: day ?? entered });
  });

  it.each(['03/04/2027', '3-4-2027'])('%s can mean two days', (entered) => {
    expect(() => period(entered)).toThrow(
      `from must be written as YYYY-MM-DD, such as 2027-03-31, since it can mean two days, not "${entered}"`,
    );
  });

  it('whose format the service decides may have a time', () => {
    const read = (valid_until: string) => readForm(create, { valid_until });
    const time = '2027-03-31T23:59:59Z';
    expect(read(time)).toEqual({ valid_until: time });
    expect(read('31.03.2027')).toEqual({ valid_until: '2027-03-31' });
    expect(() => read('next Friday')).toThrow(
      'valid_until must be a date such as 2027-03-31, or a time such as 2027-03-31T23:59:59Z, not "next Friday"',
    );
  });
});

it('text is read without the white space around it', () => {
  expect(readForm(create, { lead_email: ' lead@example.com\n' })).toEqual({
    lead_email: 'lead@example.com',
  });
});

describe('a country', () => {
  it.each([
    ['Austria', 'AT'],
    ['Österreich', 'AT'],
    ['osterreich', 'AT'],
    ['Deutschland', 'DE'],
    ['GERMANY', 'DE'],
    ['Italia', 'IT'],
    ['de', 'DE'],
    ['UK', 'GB'],
    ['Atlantis', 'Atlantis'],
  ])('%s is %s', (entered, country) => {
    expect(readForm(list, { country: entered })).toEqual({ country });
  });
});
