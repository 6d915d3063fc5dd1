import { beforeEach, describe, expect, it } from '@jest/globals';
import { anywhere } from '../app/actions.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService({ screens: 320 });

const inMarch = { from: '2027-03-01', to: '2027-03-31' };

describe.each([
  [
    'find_screen',
    'Find Screen',
    { city: 'Berln' },
    'No screen is in "Berln". Did you mean "Berlin"?',
  ],
  [
    'find_available_screens',
    'Find Available Screens',
    { ...inMarch, city: 'Berln' },
    'No screen is in "Berln". Did you mean "Berlin"?',
  ],
  [
    'find_campaign_request',
    'Find Campaign Request',
    { industry: 'retial' },
    'No campaign request has the industry "retial". Did you mean "retail"?',
  ],
])('an empty result of %s', (key, label, filters, why) => {
  it('says in the editor which value no record has', async () => {
    const zapier = await service().connect();
    const error = await zapier
      .search(key, filters, { isLoadingSample: true })
      .catch(readZapierError);
    expect(error).toMatchObject({
      name: 'HaltedError',
      message: `${label} returned no records. ${why}`,
    });
  });

  it('does not stop a Zap that runs', async () => {
    expect(await (await service().connect()).search(key, filters)).toEqual([]);
  });
});

describe('Find Screen', () => {
  it('finds screens by the filters of the service', async () => {
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    const filters = { country: 'DE', city: 'Berlin', orientation: '' };
    const screens = await zapier.search('find_screen', filters);
    expect(new Set(screens.map(({ city }) => city))).toEqual(new Set(['Berlin']));
    expect(service().calls()).toEqual(['GET /screens?country=DE&city=Berlin&limit=50 200']);
  });

  it('continues where the page before ended, until all screens are found once', async () => {
    const zapier = await service().connect();
    const ids: unknown[] = [];
    let paging_token: string | null | undefined;
    do {
      const page = (await zapier.run('searches.find_screen.operation.perform', {
        inputData: anywhere,
        meta: { paging_token },
      })) as { results: { id: string }[]; paging_token: string | null };
      ids.push(...page.results.map(({ id }) => id));
      paging_token = page.paging_token;
    } while (paging_token);
    const bookable = service()
      .sandbox.screens.list()
      .filter((screen) => screen.bookable);
    expect(ids).toHaveLength(bookable.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('finds a screen on any page by its name or a part of it, the one with exactly that name first', async () => {
    const zapier = await service().connect();
    // The service lists the other one first.
    service().sandbox.screens.add({ id: 'scr_a_north', name: 'Market Hall North' });
    service().sandbox.screens.add({ id: 'scr_z_hall', name: 'market hall' });
    const found = await zapier.search('find_screen', { name: 'Market Hall' });
    expect(found.map(({ id }) => id)).toEqual(['scr_z_hall', 'scr_a_north']);
    const parts = await zapier.search('find_screen', { name: 'ket hall n' });
    expect(parts.map(({ id }) => id)).toEqual(['scr_a_north']);
  });

  it('finds one screen by its ID', async () => {
    const zapier = await service().connect();
    const [any] = await zapier.search('find_screen', anywhere);
    service().sandbox.journal.clear();
    const found = await zapier.search('find_screen', { screenId: any?.id, city: 'Nowhere' });
    expect(found.map(({ id }) => id)).toEqual([any?.id]);
    expect(service().calls()).toEqual([`GET /screens/${any?.id} 200`]);
  });

  it.each([
    ['an unknown identifier', { screenId: 'scr_none' }],
    ['an unknown name', { name: 'no screen has this name' }],
    ['a city without screens', { city: 'Nowhere' }],
  ])('returns no record for %s', async (_what, inputData) => {
    const zapier = await service().connect();
    expect(await zapier.search('find_screen', inputData)).toEqual([]);
  });

  describe('with screens of which some have no coordinates', () => {
    const near = '0, 0';
    const data = [
      { id: 'scr_dear', name: 'Market Hall', longitude: 0.01, price_per_day_cents: 900 },
      { id: 'scr_cheap', name: 'Town Hall', longitude: 0.02, price_per_day_cents: 100 },
      { id: 'scr_lost', name: 'Fish Market' },
    ].map((screen) => ({ ...screen, latitude: 0 }));
    beforeEach(() => {
      const body = JSON.stringify({ data, pagination: { has_more: false } });
      const contentType = 'application/json';
      service().sandbox.faults.add({ fault: 'status', status: 200, body, contentType });
    });
    const find = async (fields: object) => {
      const zapier = await service().connect();
      const search = zapier.search('find_screen', { city: 'Quito', ...fields });
      return search.then(
        (found) => found.map(({ id, screens_without_coordinates: left }) => `${id} ${left ?? ''}`),
        readZapierError,
      );
    };

    it.each([
      ['sorts by price without a place', { sort_by: 'cheapest' }, 'scr_cheap '],
      ['puts the nearest first with a place', { near }, 'scr_dear 1'],
      ['counts only screens with the name', { near, name: 'town' }, 'scr_cheap 0'],
    ])('%s', async (_what, fields, first) => {
      expect(((await find(fields)) as string[])[0]).toBe(first);
    });

    it.each([
      [
        { near, name: 'Fish' },
        'no screen with coordinates, but 1 screens have no coordinates, so they may be nearer. Leave Near empty to see them.',
      ],
      [
        { near: '50, 50', radius_km: 5 },
        'no screen within the radius, but 1 screens have no coordinates, so they may be nearer. Set a larger radius, or leave Near empty to see them.',
      ],
    ])('says what may be near in %j', async (fields, words) => {
      const message = `Find Screen found ${words}`;
      expect(await find(fields)).toEqual({ name: 'HaltedError', message });
    });

    it.each([{ sort_by: 'nearest' }, { radius_km: 5 }])(
      'asks for a place in %j',
      async (fields) => {
        expect(await find(fields)).toMatchObject({
          name: 'AppError',
          message: expect.stringMatching(/^Find Screen was not sent: Near is required/),
        });
      },
    );
  });
});
