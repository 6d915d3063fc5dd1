import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Service, ZapierRunner } from './app/zapier.ts';
import { useBackend } from './app/zapier-backend.ts';

const started = useBackend({ screens: 320 });
let service: Service;
let zapier: ZapierRunner;
beforeEach(() => {
  ({ service, zapier } = started());
  service.sandbox.faults.clear();
  service.sandbox.journal.clear();
});

/** Turns the pages as Zapier does: it counts up until a page is empty. */
async function allPages(
  key: string,
  meta: object = { isFillingDynamicDropdown: true },
): Promise<{ id: string; name: string }[]> {
  const choices: Record<string, unknown>[] = [];
  for (let page = 0; page < 10; page += 1) {
    const found = await zapier.poll(key, {}, { page, ...meta });
    if (found.length === 0) break;
    choices.push(...found);
  }
  return choices as { id: string; name: string }[];
}

describe('the list of screens', () => {
  it('offers every screen that can be booked, once, by its name and city', async () => {
    const choices = await allPages('screen_list');
    const screens = service.sandbox.screens.list().filter((screen) => screen.bookable);
    expect(choices).toEqual(
      screens.map(({ id, name, city }) => ({ id, name: `${name}, ${city}` })),
    );
  });

  it('requests a hundred screens at a time', async () => {
    await zapier.poll('screen_list', {}, { page: 0 });
    expect(service.calls()).toEqual(['GET /screens?limit=100 200']);
  });
});

it('a transfer of all screens gets every one, also after polls that have seen them', async () => {
  const known = await zapier.poll('new_screen', {}, { isPopulatingDedupe: true });
  expect(await zapier.poll('new_screen')).toEqual([]);
  const found = await allPages('new_screen', { isBulkRead: true });
  expect(found.map(({ id }) => id).toSorted()).toEqual(known.map(({ id }) => id).toSorted());
  expect(found[0]).toMatchObject({ name: expect.any(String), country: expect.any(String) });
  const near = { near: '52.52, 13.405', radius_km: 5 };
  const all = await zapier.poll('new_screen', near, { isBulkRead: true, page: 0 });
  expect(all.length).toBeGreaterThan(0);
  expect(await zapier.poll('new_screen', near, { isBulkRead: true, page: 1 })).toEqual([]);
});

describe('the lists of values that screens have', () => {
  it('offers the countries by their names, and the orientations as the service spells them', async () => {
    const screens = service.sandbox.screens.list().filter((screen) => screen.bookable);
    const codes = [...new Set(screens.map(({ country }) => String(country)))].toSorted();
    const countries = await allPages('country_list');
    expect(countries.map(({ id }) => id).toSorted()).toEqual(codes);
    expect(countries).toContainEqual({ id: 'DE', name: 'Germany (DE)' });
    const cities = [...new Set(screens.map(({ city }) => String(city)))];
    expect((await allPages('city_list')).map(({ id }) => id).toSorted()).toEqual(cities.toSorted());
    expect((await allPages('industry_list')).map(({ id }) => id)).toContain('retail');
    const orientations = [...new Set(screens.map(({ orientation }) => String(orientation)))];
    expect(await allPages('orientation_list')).toEqual(
      orientations.toSorted().map((value) => ({ id: value, name: value })),
    );
  });

  it('offers each value once, sorted by name, and leaves out values that are not country codes', async () => {
    const values = ['de', 'xx', 'Somewhere', ' AT ', null, '', 'DE'];
    const data = values.map((country, index) => ({ id: `scr_${index}`, country }));
    const body = JSON.stringify({ data, pagination: { has_more: false } });
    const contentType = 'application/json';
    service.sandbox.faults.add({ fault: 'status', status: 200, body, contentType });
    expect(await allPages('country_list')).toEqual([
      { id: 'AT', name: 'Austria (AT)' },
      { id: 'DE', name: 'Germany (DE)' },
      { id: 'XX', name: 'XX' },
    ]);
  });
});

describe('a list whose cursors are numbers', () => {
  it.each([
    ['screen_list', '/screens'],
    ['campaign_request_list', '/campaign-requests'],
  ])('%s is read to its end', async (key, path) => {
    for (const [id, pagination] of [
      ['a', { cursor: 0, has_more: true }],
      ['b', { cursor: 12, has_more: true }],
      ['c', { cursor: null, has_more: false }],
    ] as const) {
      service.sandbox.faults.add({ ...answer(id, pagination), path });
    }
    expect((await allPages(key)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const asked = service.calls().map((call) => /cursor=(\w+)/.exec(call)?.[1]);
    expect(asked).toEqual([undefined, '0', '12']);
  });
});

describe('the list of campaign requests', () => {
  it('offers every request of the access, once, by its known fields', async () => {
    for (let index = 0; index < 60; index += 1) {
      await service.sandbox.fire('campaign_request.created', { id: `cr_${index}_new` });
    }
    const choices = await allPages('campaign_request_list');
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length);
    expect(choices.length).toBeGreaterThan(60);
    expect(choices.at(-1)).toEqual({ id: 'cr_59_new', name: 'retail, cr_59_new' });
  });
});

/** A page of one record, sent once. */
function answer(id: string, pagination: object) {
  const body = JSON.stringify({ data: [{ id }], pagination });
  const contentType = 'application/json';
  return { fault: 'status', status: 200, body, contentType, times: 1 } as const;
}
