import { describe, expect, it } from '@jest/globals';
import type { Page, Screen } from '@screen-advertising/core';
import type { StoredScreen } from '@screen-advertising/sandbox';
import { start } from '../support/running-sandbox.ts';

type ScreenPage = Page<Screen> & { data: Required<Screen>[] };

describe('GET /screens', () => {
  it.each<[string, (screen: StoredScreen) => boolean]>([
    ['country=DE', (screen) => screen.country === 'DE'],
    ['country=de', (screen) => screen.country === 'DE'],
    ['city=berlin', (screen) => screen.city === 'Berlin'],
    ['orientation=portrait', (screen) => screen.orientation === 'portrait'],
    ['bbox=13.08,52.33,13.76,52.67', (screen) => screen.city === 'Berlin'],
    ['country=AT&orientation=square', (s) => s.country === 'AT' && s.orientation === 'square'],
  ])('with %s returns those screens and no others', async (query, isMeant) => {
    const { sandbox, read } = await start();
    const { data, pagination } = await read<ScreenPage>(`/screens?limit=200&${query}`);
    const meant = sandbox.screens.list().filter((screen) => screen.bookable && isMeant(screen));
    expect(meant.length).toBeGreaterThan(0);
    expect(data.map(({ id }) => id)).toEqual(meant.map(({ id }) => id));
    expect(pagination).toEqual({ cursor: null, has_more: false, total_count: meant.length });
  });

  it('a box whose west is east of its east crosses the 180th meridian', async () => {
    const { sandbox, read } = await start();
    sandbox.screens.add({ id: 'scr_fiji', latitude: -18.1, longitude: 178.4 });
    sandbox.screens.add({ id: 'scr_samoa', latitude: -13.8, longitude: -171.8 });
    const { data } = await read<ScreenPage>('/screens?bbox=170,-30,-165,0');
    expect(data.map(({ id }) => id)).toEqual(['scr_fiji', 'scr_samoa']);
  });

  it('returns 50 of all that can be booked, and says how many there are', async () => {
    const { sandbox, read } = await start({ screens: 80 });
    const { data, pagination } = await read<ScreenPage>('/screens');
    expect(data).toHaveLength(50);
    expect(pagination).toEqual({
      cursor: expect.any(String),
      has_more: true,
      total_count: sandbox.screens.list().filter(({ bookable }) => bookable).length,
    });
  });

  it('ignores parameters that the contract does not name', async () => {
    const { call } = await start();
    expect((await call('GET', '/screens?colour=red')).status).toBe(200);
  });
});

it('paging through the screens returns each screen once while others are added and removed', async () => {
  const { sandbox, read } = await start({ screens: 2000, rateLimit: { requests: 10_000 } });
  const before = sandbox.screens.list().filter((screen) => screen.bookable);
  const seen: string[] = [];
  let cursor = '';
  let pages = 0;
  for (let more = true; more; pages += 1) {
    const page = await read<ScreenPage>(`/screens?limit=200${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.cursor ?? '';
    more = page.pagination.has_more === true;
    // One that was already returned, and one that is still to come.
    sandbox.screens.remove(String(seen[seen.length - 3]));
    const last = sandbox.screens.list().findLast((screen) => screen.bookable);
    if (more && last && !last.id.startsWith('scr_added')) sandbox.screens.remove(last.id);
    sandbox.screens.add({ name: `Added after page ${pages}` });
  }
  expect(new Set(seen).size).toBe(seen.length);
  const still = new Set(sandbox.screens.list().map(({ id }) => id));
  const missed = before.filter(({ id }) => still.has(id) && !seen.includes(id));
  expect(missed).toEqual([]);
});

it('GET /screens/{screenId} returns every field of the screen', async () => {
  const { read, url } = await start();
  const [text, number] = [expect.any(String), expect.any(Number)];
  expect(await read('/screens/scr_berlin_0001')).toEqual({
    id: 'scr_berlin_0001',
    name: text,
    description: text,
    country: 'DE',
    city: 'Berlin',
    address: text,
    latitude: number,
    longitude: number,
    orientation: text,
    resolution_width: number,
    resolution_height: number,
    price_per_day_cents: number,
    ad_sov_pct: number,
    thumbnail_url: `${url}/thumbnails/scr_berlin_0001.svg`,
    venue_type: text,
    is_active: true,
    created_at: text,
  });
});

describe('GET /screens/{screenId}/availability', () => {
  const path = '/screens/scr_berlin_0001/availability';

  it('is the same each time, or what was set by hand, but never more than the screen has', async () => {
    const { sandbox, read } = await start();
    const period = `${path}?from=2027-03-01&to=2027-03-31`;
    expect(await read(period)).toEqual(await read(period));
    const used = async (used_sov_pct: number) => {
      sandbox.screens.add({ id: 'scr_berlin_0001', ad_sov_pct: 40, used_sov_pct });
      return read<Record<string, number>>(period);
    };
    expect(await used(15)).toEqual({
      screen_id: 'scr_berlin_0001',
      from: '2027-03-01',
      to: '2027-03-31',
      max_sov_pct: 40,
      used_sov_pct: 15,
      available_sov_pct: 25,
      price_per_day_cents: expect.any(Number),
    });
    expect(await used(90)).toMatchObject({ used_sov_pct: 40, available_sov_pct: 0 });
  });
});
