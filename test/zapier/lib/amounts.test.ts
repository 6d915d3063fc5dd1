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

describe('prices are in cents and in currency units', () => {
  const period = { from: '2027-03-01', to: '2027-03-14' };
  const inCents = (record: Record<string, unknown> | undefined, name: string): number =>
    Math.round(Number(record?.[name]) * 100);

  it('in Find Screen and New Screen', async () => {
    const zapier = await service().connect();
    const screens = [
      ...(await zapier.search('find_screen', anywhere)),
      ...(await zapier.search('find_screen', { name: 'Central' })),
      ...(await zapier.poll('new_screen')),
    ];
    for (const screen of screens) {
      expect(inCents(screen, 'price_per_day')).toBe(screen.price_per_day_cents);
    }
    expect(screens.length).toBeGreaterThan(3);
  });

  it('in Find Available Screens, for the period and for the screen', async () => {
    const zapier = await service().connect();
    const [found] = await zapier.search('find_available_screens', { ...period, city: 'Berlin' });
    expect(inCents(found, 'total_price')).toBe(found?.total_price_cents);
    expect(inCents(found, 'price_per_day')).toBe(found?.price_per_day_cents);
    const screen = found?.screen as Record<string, unknown>;
    expect(inCents(screen, 'price_per_day')).toBe(screen.price_per_day_cents);
  });

  it('in Find Screen Availability', async () => {
    const zapier = await service().connect();
    const [screen] = await zapier.search('find_screen', anywhere);
    const input = { ...period, screenId: screen?.id };
    const [found] = await zapier.search('get_screen_availability', input);
    expect(inCents(found, 'price_per_day')).toBe(found?.price_per_day_cents);
  });

  it('in Screen Availability Changed, also of its example', async () => {
    const zapier = await service().connect();
    const inputData = { ...period, city: 'Berlin', change: 'either', share_pct: 10 };
    const key = 'screen_availability_changed';
    const [change] = await zapier.poll(key, inputData, { isLoadingSample: true });
    expect(inCents(change, 'price_per_day')).toBe(change?.price_per_day_cents);
    const screen = change?.screen as Record<string, unknown>;
    expect(inCents(screen, 'price_per_day')).toBe(screen.price_per_day_cents);
  });
});
