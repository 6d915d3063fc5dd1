import { beforeEach, describe, expect, it } from '@jest/globals';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

const service = useService({ screens: 320 });

/** Filters that match every screen: a search requires at least one. */
const anywhere = { bbox: '-180,-90,180,90' };

describe.each([
  ['searches', 'find_screen', { city: 'Berln' }, 'No screen is in "Berln". Did you mean "Berlin"?'],
  [
    'searches',
    'find_campaign_request',
    { industry: 'retial' },
    'No campaign request has the industry "retial". Did you mean "retail"?',
  ],
  ['triggers', 'new_screen', { orientation: 'tall' }, 'No screen has the orientation "tall". '],
] as const)('the form of %s.%s with %j', (kind, key, inputData, why) => {
  const run = async (part: string, values: object, meta = {}) => {
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    return zapier.run(`${kind}.${key}.operation.${part}`, { inputData: values, meta });
  };
  const hintsOf = async (values: object) =>
    ((await run('inputFields', values)) as { type?: string; helpText?: string }[])
      .filter(({ type }) => type === 'copy')
      .map(({ helpText }) => helpText);

  it('says which value no record has, and nothing of one that some have', async () => {
    expect(await hintsOf(inputData)).toEqual([expect.stringContaining(why)]);
    expect(await hintsOf({ city: 'Berlin', industry: 'retail' })).toEqual([]);
  });

  it('says nothing of a value that an earlier step will fill in, and asks nothing', async () => {
    expect(await hintsOf({ city: '{{1__city}}', industry: ' ' })).toEqual([]);
    expect(service().calls()).toEqual([]);
  });

  it('says nothing while the service is down, and leaves the form as it is', async () => {
    service().sandbox.faults.add({ fault: 'status', status: 403 });
    expect(await hintsOf(inputData)).toEqual([]);
    service().sandbox.faults.clear();
  });

  it('an empty result causes no error, in the editor as in a Zap that runs', async () => {
    for (const meta of [{ isLoadingSample: true }, {}]) {
      const found = await run('perform', inputData, meta);
      expect((found as { results?: unknown[] }).results ?? found).toEqual([]);
    }
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
    const found = await zapier.search('find_screen', { screen_id: any?.id, city: 'Nowhere' });
    expect(found.map(({ id }) => id)).toEqual([any?.id]);
    expect(service().calls()).toEqual([`GET /screens/${any?.id} 200`]);
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
      { near, name: 'Fish' },
      { near: '50, 50', radius_km: 5 },
    ])(
      'returns no screen for %j, though a screen without coordinates may be nearer',
      async (fields) => {
        expect(await find(fields)).toEqual([]);
      },
    );

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
