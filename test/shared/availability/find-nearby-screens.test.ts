import { describe, expect, it } from '@jest/globals';
import {
  findAvailableScreens,
  findNearbyScreens,
  nearbyRecords,
  sampleAvailabilityChange,
  searchNotes,
  watchAvailability,
} from '@screen-advertising/core/availability';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { page } from '../support/steps.ts';
import { offer, period, type ScriptedScreen } from './screens.ts';

const bench = useBench();

/** The television tower of Berlin. */
const tower = { latitude: 52.5208, longitude: 13.4094 };

/** Each lies due north of the tower, where a kilometer is 1/111.195 of a degree. */
const north = (id: string, km: number, perDay = 100): ScriptedScreen => ({
  id,
  share: 10,
  perDay,
  place: {
    latitude: tower.latitude + km / 111.195_08,
    longitude: tower.longitude,
    price_per_day_cents: perDay,
  },
});

const find = (fields: object = {}) =>
  findNearbyScreens(bench.client({ retry: false }), { near: tower, ...fields });
const idsIn = (screens: readonly { id?: string; screen_id?: string }[]) =>
  screens.map(({ id, screen_id }) => screen_id ?? id);

describe('screens near a place', () => {
  it('are those within the radius, nearest first, with the distance to the meter', async () => {
    offer(bench.service, [north('c', 2.001), north('b', 2), north('a', 1.2345), north('d', 0)]);
    const { screens, withoutCoordinates } = await find({ radius_km: 2 });
    expect(screens.map(({ screen_id, distance_km }) => [screen_id, distance_km])).toEqual([
      ['d', 0],
      ['a', 1.235],
      ['b', 2],
    ]);
    // As findAvailableScreens gives a screen.
    expect(screens[0]).toEqual({
      screen_id: 'd',
      price_per_day_cents: 100,
      distance_km: 0,
      screen: expect.objectContaining({ id: 'd', name: 'At d', ...tower }),
    });
    expect(nearbyRecords(screens)[0]).toMatchObject({ id: 'd', name: 'At d', distance_km: 0 });
    expect(screens[0]?.screen).not.toHaveProperty('distance_km');
    expect(withoutCoordinates).toEqual([]);
  });

  it('are all of them, by distance, without a radius', async () => {
    offer(bench.service, [north('far', 4000), north('near', 1)]);
    expect(idsIn((await find()).screens)).toEqual(['near', 'far']);
  });

  it('come cheapest first on request, equals by distance, unpriced last', async () => {
    const unpriced = { ...north('unpriced', 0), place: tower };
    offer(bench.service, [unpriced, north('dear', 1, 9), north('b', 3, 5), north('a', 2, 5)]);
    expect(idsIn((await find({ sort_by: 'cheapest' })).screens)).toEqual([
      'a',
      'b',
      'dear',
      'unpriced',
    ]);
  });

  it('are found across the date line and around a pole', async () => {
    const at = (id: string, latitude: number, longitude: number) => ({
      ...north(id, 0),
      place: { latitude, longitude },
    });
    offer(bench.service, [at('fiji', -17, -179.99), at('pole', 89.99, -100)]);
    expect(idsIn((await find({ near: '-17, 179.99', radius_km: 3 })).screens)).toEqual(['fiji']);
    expect(idsIn((await find({ near: '89.99, 80', radius_km: 3 })).screens)).toEqual(['pole']);
  });

  it('are counted when their coordinates cannot be read, and never placed by a guess', async () => {
    const odd: object[] = [
      {},
      { latitude: null, longitude: null },
      { latitude: '52,5', longitude: '13,4' },
      { latitude: 91, longitude: 0 },
      { latitude: 52, longitude: 'x' },
    ];
    offer(bench.service, [
      ...odd.map((place, at) => ({ ...north(`odd-${at}`, 0), place: { ...place } })),
      { ...north('text', 0), place: { latitude: ' 52.5208', longitude: '13.4094 ' } },
    ]);
    const { screens, ...others } = await find({ radius_km: 1 });
    expect(idsIn(screens)).toEqual(['text']);
    expect(idsIn(others.withoutCoordinates)).toEqual(odd.map((_, at) => `odd-${at}`));
    expect(searchNotes(others)).toEqual(['Screens left out because they have no coordinates: 5.']);
  });

  it('cannot be found when no screen has coordinates', async () => {
    offer(bench.service, [{ id: 'a' }, { id: 'b' }]);
    const message =
      'None of the screens (2) has coordinates, so no distance is known. Leave out near, or report this to the Screen Advertising team.';
    expect(await rejection(find())).toMatchObject({ code: 'unexpected_response', message });
    const available = findAvailableScreens(bench.client({ retry: false }), {
      ...period,
      near: tower,
    });
    expect(await rejection(available)).toMatchObject({ message });
  });

  it.each([
    [
      { near: undefined, sort_by: 'cheapest' },
      'near is required: a place such as 52.5200, 13.4050',
    ],
    [{ near: 42 as never }, 'near must be text such as 52.5200, 13.4050, not 42'],
    [
      { near: '52,52; 13,405' },
      'near must have decimal points, not commas, such as 52.5200, 13.4050, not "52,52; 13,405"',
    ],
    [{ radius_km: -1 }, 'radius_km must be at least 0, not -1'],
    [{ radius_km: '2 km' }, 'radius_km must be a number, not "2 km"'],
    [
      { radius_km: 50_000 },
      'radius_km must be at most 20016, which reaches every screen, not 50000',
    ],
    [{ sort_by: 'best' }, 'sort_by must be one of nearest, cheapest, not "best"'],
  ])('%j is refused before anything is sent', async (fields, message) => {
    expect(await rejection(find(fields))).toMatchObject({
      code: 'invalid_input',
      message: `Find Nearby Screens was not sent: ${message}.`,
    });
    expect(bench.service.received).toEqual([]);
  });

  it('hold a screen once that a shifting list holds twice, and all without an ID', async () => {
    const [a, b, c] = [north('a', 1), north('b', 2), north('c', 3)];
    const recordOf = ({ id, place }: ScriptedScreen) => ({ id, ...place });
    const unnamed = { ...b.place };
    bench.service.on(
      'GET /screens',
      page([recordOf(a), recordOf(b), unnamed], 'next', true),
      page([recordOf(b), unnamed, recordOf(c)], null, false),
    );
    expect(idsIn((await find()).screens)).toEqual(['a', 'b', undefined, undefined, 'c']);
  });
});

describe('available screens near a place', () => {
  const available = (fields: object) =>
    findAvailableScreens(bench.client({ retry: false }), { ...period, near: tower, ...fields });

  it('are read only within the radius, which costs no further requests', async () => {
    offer(bench.service, [north('a', 1), north('b', 2), north('far', 7), { id: 'nowhere' }]);
    const { screens, withoutCoordinates } = await available({ radius_km: 3 });
    expect(screens.map(({ screen_id, distance_km }) => [screen_id, distance_km])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(idsIn(withoutCoordinates)).toEqual(['nowhere']);
    expect(bench.service.received).toHaveLength(3);
  });

  it('come nearest first, or cheapest first on request', async () => {
    offer(bench.service, [north('cheap', 2, 1), north('close', 1, 9)]);
    expect(idsIn((await available({})).screens)).toEqual(['close', 'cheap']);
    expect(idsIn((await available({ sort_by: 'cheapest' })).screens)).toEqual(['cheap', 'close']);
  });

  it.each([{ radius_km: 3 }, { sort_by: 'nearest' as const }])(
    '%j without a place is refused',
    async (fields) => {
      expect(await rejection(available({ near: undefined, ...fields }))).toMatchObject({
        code: 'invalid_input',
        message:
          'Find Available Screens was not sent: near is required with a radius, and to sort by distance.',
      });
    },
  );
});

describe('watching screens near a place', () => {
  const input = {
    change: 'rises_above',
    share_pct: 5,
    ...period,
    near: tower,
    radius_km: 3,
  } as const;

  it('reports changes with the distance, of screens within the radius', async () => {
    offer(bench.service, [north('a', 1), north('far', 7), { id: 'nowhere' }]);
    const { changes, withoutCoordinates } = await watchAvailability(
      bench.client({ retry: false }),
      input,
      { seen: { a: 0, far: 0, nowhere: 0 } },
    );
    expect(changes).toMatchObject([{ screen_id: 'a', distance_km: 1 }]);
    expect(idsIn(withoutCoordinates)).toEqual(['nowhere']);
  });

  it('shows the first screen within the radius as a sample, on whatever page', async () => {
    offer(bench.service, [north('far', 7), north('a', 1)], 1);
    bench.service.on(
      'GET /screens',
      page([{ id: 'far', ...north('far', 7).place }], 'next', true),
      page([{ id: 'a', ...north('a', 1).place }], null, false),
    );
    const sample = await sampleAvailabilityChange(bench.client({ retry: false }), input);
    expect(sample).toMatchObject({ screen_id: 'a', distance_km: 1 });
  });
});
