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
    sandbox.screens.add({
      id: 'scr_fiji',
      city: 'Suva',
      country: 'FJ',
      latitude: -18.1,
      longitude: 178.4,
    });
    sandbox.screens.add({
      id: 'scr_samoa',
      city: 'Apia',
      country: 'WS',
      latitude: -13.8,
      longitude: -171.8,
    });
    const { data } = await read<ScreenPage>('/screens?bbox=170,-30,-165,0');
    expect(data.map(({ id }) => id)).toEqual(['scr_fiji', 'scr_samoa']);
  });

  it('ignores parameters that the contract does not name', async () => {
    const { call } = await start();
    expect((await call('GET', '/screens?colour=red')).status).toBe(200);
  });
});

describe('paging through the screens', () => {
  it('returns each screen once while others are added and removed', async () => {
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
});

describe('GET /screens/{screenId}', () => {
  it('returns the screen', async () => {
    const { sandbox, read, url } = await start();
    const [first] = sandbox.screens.list();
    const {
      bookable: _bookable,
      used_sov_pct: _used,
      position: _position,
      ...screen
    } = first as StoredScreen;
    expect(await read(`/screens/scr_berlin_0001`)).toEqual({
      ...screen,
      thumbnail_url: `${url}/thumbnails/scr_berlin_0001.svg`,
    });
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
    expect(await used(15)).toMatchObject({ used_sov_pct: 15, available_sov_pct: 25 });
    expect(await used(90)).toMatchObject({ used_sov_pct: 40, available_sov_pct: 0 });
  });
});
