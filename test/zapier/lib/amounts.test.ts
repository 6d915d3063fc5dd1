import { describe, expect, it } from '@jest/globals';
import { withAmounts } from '../../../packages/zapier-screen-advertising/src/lib/amounts.ts';
import { anywhere } from '../app/actions.ts';
import { useService } from '../app/use-service.ts';

const service = useService();

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

it('prices are in cents and in currency units in every step that has them', async () => {
  const zapier = await service().connect();
  const period = { from: '2027-03-01', to: '2027-03-14' };
  const change = { ...period, city: 'Berlin', change: 'either', share_pct: 10 };
  const [screen] = await zapier.search('find_screen', anywhere);
  const records = [
    screen,
    ...(await zapier.search('find_screen', { name: 'Central' })),
    ...(await zapier.poll('new_screen')),
    ...(await zapier.search('find_available_screens', { ...period, city: 'Berlin' })),
    ...(await zapier.search('get_screen_availability', { ...period, screenId: screen?.id })),
    ...(await zapier.poll('screen_availability_changed', change, { isLoadingSample: true })),
  ].flatMap((record) => [record, record?.screen ?? record]) as Record<string, unknown>[];
  const names = Object.keys(Object.assign({}, ...records)).filter((one) => /_cents$/.test(one));
  expect(names).toEqual(['price_per_day_cents', 'total_price_cents']);
  for (const record of records) {
    for (const name of names.filter((one) => one in record)) {
      const units = Number(record[name.replace('_cents', '')]);
      expect(Math.round(units * 100)).toBe(record[name]);
    }
  }
});
