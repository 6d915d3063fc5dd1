import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { startWorld, type World } from './world.ts';

/** The middle of Berlin, as a map copies it. */
const near = '52.5200, 13.4050';

let world: World;
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
  world.sandbox.screens.add({ id: 'scr_here', city: 'Berlin', latitude: 52.52, longitude: 13.405 });
});
afterEach(() => world.stop());

const getMany = (filters: INodeParameters, fields: INodeParameters = {}): INodeParameters => ({
  authentication: 'apiKey',
  resource: 'screen',
  operation: 'getAll',
  filters,
  ...fields,
});
const findAvailable = (filters: INodeParameters): INodeParameters => ({
  ...getMany(filters),
  operation: 'findAvailable',
  from: '2027-03-01',
  to: '2027-03-14',
});
const distancesIn = (items: { json: Record<string, unknown> }[]) =>
  items.map(({ json }) => Number(json.distance_km));

describe.each([
  ['Get Many', getMany],
  ['Find Available', findAvailable],
] as const)('%s near a place', (_name, parameters) => {
  it('returns the screens within the radius, nearest first, with the distance', async () => {
    const items = await world.items(parameters({ near, radius_km: 2.5 }));
    const distances = distancesIn(items);
    expect(items[0]?.json).toMatchObject({ id: 'scr_here', distance_km: 0 });
    expect(distances.length).toBeGreaterThan(2);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(Math.max(...distances)).toBeLessThanOrEqual(2.5);
  });

  it("shows at most ten fields, which is n8n's limit for simplified output", async () => {
    const [item] = await world.items(parameters({ near }));
    expect(Object.keys(item?.json ?? {})).toHaveLength(10);
    expect(item?.json).toMatchObject({ distance_km: 0, name: expect.any(String) });
  });

  it('takes an object from an expression', async () => {
    const items = await world.items(parameters({ near: '={{ $json.place }}', radius_km: 0 }), {
      items: [{ place: { latitude: 52.52, longitude: 13.405 } }],
    });
    expect(items).toMatchObject([{ json: { id: 'scr_here', distance_km: 0 } }]);
  });

  it.each([
    [
      { near: '52,52; 13,405' },
      "'Near' must have decimal points, not commas, such as 52.5200, 13.4050",
    ],
    [{ near, radius_km: -1 }, "'Radius in Kilometers' must be at least 0"],
  ])('for %j the error says how to fix the field', async (filters, message) => {
    const { error } = await world.run(parameters(filters));
    expect(error?.message).toBe(message);
    expect(error?.description).toBe(
      'Nothing was sent. Fix the field in this node, or the expression that fills it.',
    );
    expect(world.sandbox.journal.list()).toEqual([]);
  });
});

it('Get Many returns the cheapest of them, as many as the limit says', async () => {
  const filters = { near, radius_km: 5, sort_by: 'cheapest' };
  const all = await world.items(getMany(filters, { returnAll: true }));
  const prices = all.map(({ json }) => Number(json.price_per_day_cents));
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  expect(await world.items(getMany(filters, { limit: 2 }))).toEqual(all.slice(0, 2));
});
