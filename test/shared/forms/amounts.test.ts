import { expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { readForm, shownRecordFields, withCurrencyAmounts } from '@screen-advertising/core/forms';
import { cases } from '../../support/tier.ts';

it.each<[record: object, shown?: object]>([
  [
    { code: 'A', discount_type: 'amount_cents', discount_value: 1250 },
    { code: 'A', discount_type: 'amount_cents', discount_value: 12.5, discount_value_cents: 1250 },
  ],
  [
    { discount_type: 'amount_cents', discount_value: '1250' },
    { discount_type: 'amount_cents', discount_value: 12.5, discount_value_cents: '1250' },
  ],
  [{ discount_type: 'percent', discount_value: 25 }],
  [{ discount_type: 'free_days', discount_value: 3 }],
  [{ discount_value: 1250 }],
  [['amount_cents']],
  [{ amount_cents: 129_900 }, { amount: 1299, amount_cents: 129_900 }],
  [{ price_per_day_cents: 1999 }, { price_per_day: 19.99, price_per_day_cents: 1999 }],
  [{ price_per_day_cents: null }],
  [{ amount: 'EUR 12', amount_cents: 1200 }],
])('%j is shown as %j, or as it is', (record, shown = record) => {
  expect(withCurrencyAmounts(record)).toEqual(shown);
  expect(withCurrencyAmounts(withCurrencyAmounts(record))).toEqual(shown);
});

it('an amount that a form outputs can be entered again and means the same', () => {
  const create = operations['coupon.create'];
  const differences: unknown[] = [];
  for (let count = cases(4000); count > 0; count -= 1) {
    const discount_value = 1 + Math.floor(Math.random() * 10 ** (1 + Math.random() * 12));
    const coupon = { discount_type: 'amount_cents', discount_value };
    const shown = withCurrencyAmounts(coupon);
    for (const written of [
      shown.discount_value,
      String(shown.discount_value),
      shown.discount_value.toFixed(2),
      shown.discount_value.toFixed(2).replace('.', ','),
    ]) {
      const again = readForm(create, { ...coupon, discount_value: written });
      if (again.discount_value !== discount_value) differences.push({ discount_value, written });
    }
  }
  expect(differences).toEqual([]);
});

it('the fields of a record name both numbers of an amount', () => {
  const named = (name: keyof typeof operations) =>
    shownRecordFields(operations[name])
      .filter(({ name: field }) => /price|discount_value/.test(field))
      .map(({ name: field, title }) => [field, title]);
  expect(named('coupon.get')).toEqual([
    ['discount_value', 'Discount Value'],
    ['discount_value_cents', 'Discount Value'],
  ]);
  expect(named('screen.get')).toEqual([
    ['price_per_day', 'Price per Day in Currency Units'],
    ['price_per_day_cents', 'Price per Day'],
  ]);
});
