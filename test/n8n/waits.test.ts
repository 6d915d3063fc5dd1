import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { n8nLogger } from './n8n.ts';
import { startWorld, type World } from './world.ts';

let world: World;
/** What n8n's log got, each with the second of the run. */
let logged: [number, string][];

beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
  const startedAt = world.sandbox.clock.now();
  logged = [];
  jest.spyOn(n8nLogger, 'info').mockImplementation((message) => {
    logged.push([(world.sandbox.clock.now() - startedAt) / 1000, message]);
  });
});
afterEach(async () => {
  await world.stop();
});

const parameters = {
  authentication: 'apiKey',
  resource: 'user',
  operation: 'lookUp',
  lookup: 'email',
  email: '={{ $json.email }}',
};
const items = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ email: `lead-${nth}@example.com` }));

it('a run that waits for the rate limit says so in the log, once, while it waits', async () => {
  world.sandbox.faults.add({
    fault: 'status',
    status: 429,
    headers: { 'retry-after': '40' },
    skip: 2,
    times: 2,
  });
  await world.items(parameters, { items: items(5) });
  expect(logged).toEqual([
    [
      3,
      '"Screen Advertising" of the workflow "Workflow" waits for the rate limit. All workflows with this credential share its \'Requests per Minute\'.',
    ],
  ]);
});

it('a run that waits before a retry for another reason does not', async () => {
  const headers = { 'retry-after': '10' };
  world.sandbox.faults.add({ fault: 'status', status: 503, headers, times: 1 });
  await world.items(parameters, { items: items(1) });
  expect(logged).toEqual([]);
});

it('a run that waits for nothing does not, either', async () => {
  await world.items(parameters, { items: items(20) });
  expect(logged).toEqual([]);
});

const coupon = {
  authentication: 'apiKey',
  resource: 'coupon',
  operation: 'create',
  discount_type: 'percent',
  discount_value: '10',
  lead_email: '={{ $json.email }}',
};
it('writes pause between batches of items, and only there', async () => {
  const start = world.sandbox.clock.now();
  const options = { batching: { batch: { batchSize: 2, batchInterval: 5_000 } } };
  expect(await world.items({ ...coupon, options }, { items: items(5) })).toHaveLength(5);
  expect(world.sandbox.clock.now() - start).toBeGreaterThanOrEqual(10_000);
  expect(world.sandbox.clock.now() - start).toBeLessThan(15_000);
});

it('a batch of no items is refused before anything is sent', async () => {
  const options = { batching: { batch: { batchSize: 0 } } };
  const { error } = await world.run({ ...coupon, options }, { items: items(1) });
  expect(error?.message).toBe("'Items Per Batch' must be a whole number, 1 or more, not 0");
  expect(world.sandbox.journal.list()).toEqual([]);
});
