import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterAll(() => world.stop());

const coupon = {
  authentication: 'apiKey',
  resource: 'coupon',
  operation: 'create',
  discount_type: 'percent',
  discount_value: '10',
  lead_email: '={{ $json.email }}',
};
const items = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ email: `${name}@example.com` }));

it('writes pause between batches of items, and only there', async () => {
  const start = world.sandbox.clock.now();
  const options = { batching: { batch: { batchSize: 2, batchInterval: 5_000 } } };
  expect(await world.items({ ...coupon, options }, { items })).toHaveLength(5);
  expect(world.sandbox.clock.now() - start).toBeGreaterThanOrEqual(10_000);
  expect(world.sandbox.clock.now() - start).toBeLessThan(15_000);
});

it('a batch of no items is refused before anything is sent', async () => {
  world.sandbox.journal.clear();
  const options = { batching: { batch: { batchSize: 0 } } };
  const { error } = await world.run({ ...coupon, options }, { items: items.slice(0, 1) });
  expect(error?.message).toBe("'Items Per Batch' must be a whole number, 1 or more, not 0");
  expect(world.sandbox.journal.list()).toEqual([]);
});
