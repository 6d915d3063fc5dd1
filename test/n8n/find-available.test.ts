import { beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { actionNode } from './engine.ts';
import { useWorld } from './world.ts';

const period = { from: '2027-03-01', to: '2027-03-14' };

const world = useWorld({ clock: 'frozen', screens: 80 });

const parameters = (fields: INodeParameters = {}): INodeParameters => ({
  authentication: 'apiKey',
  resource: 'screen',
  operation: 'findAvailable',
  ...period,
  ...fields,
});

it.each(['apiKey', 'clientCredentials'])(
  'Find Available returns the screens that match, cheapest first, linked to the input item, with %s',
  async (authentication) => {
    const filters = { min_available_sov_pct: 20, budget_cents: 4000 };
    const fields = { authentication, filters, returnAll: true, simplify: false };
    const items = await world.items(parameters(fields));
    expect(items.length).toBeGreaterThan(3);
    const prices = items.map(({ json }) => Number(json.total_price_cents));
    expect(prices).toEqual(prices.toSorted((one, other) => one - other));
    expect(prices.at(-1)).toBeLessThanOrEqual(400_000);
    const shares = items.map(({ json }) => Number(json.available_sov_pct));
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(20);
    expect(items[0]?.json.screen).toMatchObject({ id: items[0]?.json.screen_id });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
  },
);

it('by default shows the fields of each screen that most workflows need', async () => {
  const [item] = await world.items(parameters({ filters: { city: 'Berlin' } }));
  const perDay = Number(item?.json.price_per_day);
  expect(item?.json).toEqual({
    id: expect.stringMatching(/^scr_berlin_/),
    name: expect.any(String),
    city: 'Berlin',
    address: expect.any(String),
    ...period,
    available_sov_pct: expect.any(Number),
    price_per_day: perDay,
    total_price_cents: Math.round(perDay * 100) * 14,
    total_price: perDay * 14,
  });
  // A table shows the first ones.
  expect(Object.keys(item?.json ?? {})).toEqual([
    ...['id', 'name', 'city', 'address'],
    ...['available_sov_pct', 'price_per_day', 'total_price', 'total_price_cents', 'from', 'to'],
  ]);
});

it('returns the 50 cheapest, or as many as the limit says', async () => {
  const ids = async (fields: INodeParameters) =>
    (await world.items(parameters(fields))).map(({ json }) => json.id);
  const all = await ids({ returnAll: true });
  expect(all).toHaveLength(71);
  expect(await ids({})).toEqual(all.slice(0, 50));
  expect(await ids({ limit: 3 })).toEqual(all.slice(0, 3));
});

describe('a screen that cannot be read', () => {
  const failed = 'scr_berlin_0001';
  beforeEach(() => {
    const path = `/screens/${failed}/availability`;
    world.sandbox.faults.add({ fault: 'status', status: 422, path, detail: 'A fault.' });
  });

  it('stops the node, and the error says how to get the others', async () => {
    const { error } = await world.run(parameters({ filters: { city: 'Berlin' } }));
    expect(error?.name).toBe('NodeApiError');
    expect(error?.message).toBe('One screen could not be read, so the result may be incomplete');
    expect(error?.description).toMatch(
      /^Set 'On Error' to Continue to get the other screens, and an item with the error for each failed screen\. First error: The service rejected the request .* The service says: "A fault\." /,
    );
  });

  it('becomes a separate item after the others, with On Error: Continue', async () => {
    const result = await world.engine.runNode({
      type: 'screenAdvertising',
      parameters: parameters({ filters: { city: 'Berlin' } }),
      onError: 'continueRegularOutput',
    });
    const items = result.output(actionNode);
    expect(items.length).toBeGreaterThan(3);
    expect(items.slice(0, -1).map(({ json }) => json.id)).not.toContain(failed);
    expect(items.at(-1)).toMatchObject({
      json: {
        error: expect.stringMatching(/\(422\)\./),
        details: { code: 'invalid_request', status: 422, screen_id: failed },
      },
      pairedItem: { item: 0 },
    });
  });
});

it('a refused credential stops it at the first response', async () => {
  world.sandbox.faults.add({ fault: 'status', status: 403, path: '/screens/*/availability' });
  const { error } = await world.run(parameters());
  expect(error?.message).toBe(
    'The credential "Screen Advertising account" has no screens:read scope (403)',
  );
  expect(world.sandbox.journal.list().length).toBeLessThan(25);
});

it.each(['getAll', 'findAvailable'])(
  '%s near a place from an expression returns ten fields of each screen within the radius',
  async (operation) => {
    const here = { id: 'scr_here', city: 'Berlin', latitude: 52.52, longitude: 13.405 };
    world.sandbox.screens.add(here);
    const filters = { near: '={{ $json.place }}', radius_km: 0 };
    const items = await world.items(parameters({ operation, filters }), {
      items: [{ place: here }],
    });
    expect(items).toMatchObject([{ json: { id: 'scr_here', distance_km: 0 } }]);
    expect(Object.keys(items[0]?.json ?? {})).toHaveLength(10);
  },
);
