import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, createClient } from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import type { INodeParameters } from 'n8n-workflow';
import { startWorld, type World } from './world.ts';

const period = { from: '2027-03-01', to: '2027-03-14' };

let world: World;
let transport: UndiciTransport;

beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
  transport = undiciTransport();
});
afterEach(async () => {
  await transport.close();
  await world.stop();
});

const parameters = (fields: INodeParameters = {}): INodeParameters => ({
  authentication: 'apiKey',
  resource: 'screen',
  operation: 'findAvailable',
  ...period,
  ...fields,
});

/** What the core finds for the same input. */
function onTheBareClient(fields: Partial<Parameters<typeof findAvailableScreens>[1]> = {}) {
  const { accesses, clock } = world.sandbox;
  const client = createClient({
    baseUrl: world.baseUrl,
    auth: apiKey(accesses[0].apiKey),
    transport,
    clock: { now: () => clock.now(), sleep: (ms) => clock.advance(ms) },
  });
  return findAvailableScreens(client, { ...period, ...fields });
}

describe.each(['apiKey', 'clientCredentials'])(
  'Screen: Find Available with %s',
  (authentication) => {
    it('returns an item for each screen, the cheapest first, each linked to its input item', async () => {
      const filters = { city: 'Berlin', min_available_sov_pct: 20, budget_cents: 400_000 };
      const items = await world.items(
        parameters({ authentication, filters, returnAll: true, simplify: false }),
      );
      const { screens } = await onTheBareClient(filters);
      expect(items.length).toBeGreaterThan(3);
      expect(items.map(({ json }) => json)).toEqual(JSON.parse(JSON.stringify(screens)));
      expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
    });
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
});

it('returns the 50 cheapest, as many as the limit says, or all', async () => {
  const { screens } = await onTheBareClient();
  const all = screens.map(({ screen_id }) => screen_id);
  const ids = async (fields: INodeParameters) =>
    (await world.items(parameters(fields))).map(({ json }) => json.id);
  expect(all.length).toBeGreaterThan(100);
  expect(await ids({})).toEqual(all.slice(0, 50));
  expect(await ids({ limit: 3 })).toEqual(all.slice(0, 3));
  expect(await ids({ returnAll: true })).toEqual(all);
});

describe('a screen that cannot be read', () => {
  const broken = () => {
    const { screen_id } = { screen_id: 'scr_berlin_0001' };
    const path = `/screens/${screen_id}/availability`;
    world.sandbox.faults.add({ fault: 'status', status: 500, path, detail: 'A fault.' });
    return screen_id;
  };

  it('stops the node, and the error says how to get the others', async () => {
    broken();
    const { error } = await world.run(parameters({ filters: { city: 'Berlin' } }));
    expect(error?.name).toBe('NodeApiError');
    expect(error?.message).toBe('One screen could not be read, so the result may be incomplete');
    expect(error?.description).toBe(
      `Set 'On Error' to Continue to get the other screens, and an item with the error for each failed screen. First error: The service is not available (500). The service says: "A fault." Your fields are fine. Retry in a few minutes. If it keeps failing, tell the Screen Advertising team the time and the operation.`,
    );
  });

  it('becomes a separate item after the others, with On Error: Continue', async () => {
    const { screens } = await onTheBareClient({ city: 'Berlin' });
    const failed = broken();
    const node = {
      type: 'screenAdvertising',
      parameters: parameters({ filters: { city: 'Berlin' } }),
    };
    const result = await world.engine.runNode({ ...node, onError: 'continueRegularOutput' });
    const items = result.output('Screen Advertising');
    expect(items.slice(0, -1).map(({ json }) => json.id)).toEqual(
      screens.map(({ screen_id }) => screen_id).filter((id) => id !== failed),
    );
    expect(items.at(-1)).toMatchObject({
      json: {
        error: expect.stringMatching(/^The service is not available \(500\)\./),
        details: { code: 'service_error', status: 500, screen_id: failed },
      },
      pairedItem: { item: 0 },
    });
  });
});

it.each([
  [{ to: '2027-02-01' }, "'To' must not be before 'From'"],
  [{ from: "={{ '' }}" }, "'From' is required"],
  [
    { filters: { min_available_sov_pct: 0 } },
    "'Minimum Available Share of Voice' must be greater than 0",
  ],
  [{ filters: { budget_cents: 0 } }, "'Budget per Screen' must be greater than 0"],
])('for %j the error names the label of the field', async (fields, message) => {
  const { error } = await world.run(parameters(fields));
  expect(error?.message).toBe(message);
  expect(world.sandbox.journal.list()).toEqual([]);
});

it('a refused credential stops it at the first response', async () => {
  world.sandbox.faults.add({ fault: 'status', status: 403, path: '/screens/*/availability' });
  const { error } = await world.run(parameters());
  expect(error?.message).toBe(
    'The credential "Screen Advertising account" has no screens:read scope (403)',
  );
  expect(world.sandbox.journal.list().length).toBeLessThan(25);
});
