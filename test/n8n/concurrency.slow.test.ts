import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../shared/support/loopback.ts';
import { eventually } from '../support/eventually.ts';
import { actionNode } from './engine.ts';
import { hurriedTime } from './hurried-time.ts';
import { createPoller } from './poller.ts';
import { requestsInFlight, settled } from './simulated-time.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
  await world.stop();
});

const lookUp = {
  authentication: 'apiKey',
  resource: 'user',
  operation: 'lookUp',
  email: '={{ $json.email }}',
};
const coupon = {
  ...lookUp,
  resource: 'coupon',
  operation: 'create',
  discount_type: 'free_days',
  discount_value: 2,
  lead_email: '={{ $json.email }}',
};
const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `lead-${index}@example.com` }));

/**
 * Starts a world whose node sends its requests to a service that knows no user. It responds once no
 * further request arrives. Returns how many waited each time.
 */
async function startCounting(status: number): Promise<number[]> {
  world = await startWorld({}, hurriedTime());
  const crowds: number[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (_request, response) => {
    const answer = () => response.writeHead(status).end('{"data":{"exists":false}}');
    if (waiting.push(answer) > 1) return;
    do await settled(() => `${waiting.length} ${requestsInFlight()}`);
    while (requestsInFlight() > waiting.length);
    crowds.push(waiting.length);
    for (const go of waiting.splice(0)) go();
  });
  listening = await listen(server);
  Object.assign(world.engine.credentials.screenAdvertisingApi ?? {}, {
    baseUrl: `http://127.0.0.1:${listening.port}/api/v1`,
  });
  return crowds;
}

it('300 items are under way a hundred at a time, and keep their order', async () => {
  const crowds = await startCounting(200);
  const items = await world.items(lookUp, { items: emails(300) });
  expect(items).toMatchObject(
    emails(300).map(({ email }, item) => ({ json: { email }, pairedItem: { item } })),
  );
  expect(crowds).toEqual([100, 100, 100]);
});

it.each([
  ['a hundred reads', lookUp, 100],
  ['one write', coupon, 1],
  ['as many as the option says', { ...lookUp, options: { concurrency: 200 } }, 200],
])('a service that refuses each item gets only %s', async (_what, parameters, count) => {
  const crowds = await startCounting(401);
  const { error } = await world.run(parameters, { items: emails(400) });
  expect(error?.message).toContain('did not accept the credential');
  expect(crowds).toEqual([count]);
});

it.each([
  ['', 0],
  [', when the clock of the machine is set back by an hour', -3_600_000],
  [', when it is set forward, or the machine slept', 3_600_000],
])('all nodes of an access keep its limit together%s', async (_when, byMs) => {
  world = await startWorld({ clock: 'frozen' });
  const startedAt = world.sandbox.clock.now();
  await world.items(lookUp, { items: emails(600) });
  if (world.time) world.time.setByMs = byMs;
  // On n8n 2.36, a poll has 36 s.
  await world.sandbox.clock.advance(30_000);
  const poller = createPoller(world.engine, {
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'apiKey', events: ['campaign_request.created'] },
  });
  await poller.poll();
  const tookMs = world.sandbox.clock.now() - startedAt;
  expect([tookMs >= 60_000, tookMs < 61_000]).toEqual([true, true]);
  expect(world.sandbox.journal.list().filter(({ status }) => status === 429)).toEqual([]);
});

it('an access with another rate limit is used up to that one', async () => {
  world = await startWorld({ clock: 'frozen' });
  Object.assign(world.engine.credentials.screenAdvertisingApi ?? {}, { rateLimit: 40 });
  const startedAt = world.sandbox.clock.now();
  await world.items(lookUp, { items: emails(40) });
  expect(world.sandbox.clock.now() - startedAt).toBeLessThan(1000);
  await world.items(lookUp, { items: emails(1) });
  const tookMs = world.sandbox.clock.now() - startedAt;
  expect([tookMs >= 60_000, tookMs < 61_000]).toEqual([true, true]);
});

it('a workflow of a thousand lookups says how long its items waited', async () => {
  world = await startWorld({ clock: 'frozen' });
  const { time } = world;
  if (!time) throw new Error('The clock of this world is not frozen.');
  const startedAt = time.now();
  const { run } = await world.run(lookUp, { items: emails(1000) });
  const [node] = run.data.resultData.runData[actionNode] ?? [];
  expect(node?.hints?.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Some items waited up to (6[0-4]) s for the rate limit\. All workflows with this credential share its 'Requests per Minute'\.$/,
    ),
  ]);
  // 600 at once, and 400 a minute later, over three seconds.
  expect(time.now() - startedAt).toBeLessThan(64_500);
});

describe('an item that fails', () => {
  const invalid = expect.stringMatching(
    /^'Email' must be an email address such as lead@example\.com, not "wrong"\. /,
  );

  it('ends the node before the first request, and all that fail are named', async () => {
    world = await startWorld();
    const items = [...emails(20), { email: 'not an address' }, { email: 'neither' }];
    const { error } = await world.run(lookUp, { items: [...items, ...emails(400)] });
    expect(error).toMatchObject({
      message: '2 of 422 items cannot be used',
      description: expect.stringMatching(/not "not an address"[\s\S]*not "neither"/),
    });
    expect(world.sandbox.journal.list()).toEqual([]);
  });

  it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
    'keeps its place, or goes to the error output: %s',
    async (onError) => {
      world = await startWorld();
      const { error, output } = await world.engine.runNode(
        { type: 'screenAdvertising', parameters: lookUp, onError },
        { items: [{ email: 'one@example.com' }, { email: 'wrong' }, { email: 'two@example.com' }] },
      );
      expect(error).toBeUndefined();
      const details = { code: 'invalid_input' };
      const failed = { json: { error: invalid, details }, pairedItem: { item: 1 } };
      const found = [0, 2].map((item) => ({ json: { exists: false }, pairedItem: { item } }));
      if (onError === 'continueErrorOutput') {
        expect(output(actionNode, 0)).toMatchObject(found);
        expect(output(actionNode, 1)).toMatchObject([{ json: { email: 'wrong', ...failed.json } }]);
      } else {
        expect(output(actionNode)).toMatchObject([found[0], failed, found[1]]);
      }
    },
  );
});

it.each([429, 503])('canceling ends the pause of minutes after a %i', async (status) => {
  world = await startWorld();
  const headers = { 'retry-after': '840' };
  world.sandbox.faults.add({ fault: 'status', status, path: '/users/lookup', headers });
  const stop = new AbortController();
  const running = world.run(lookUp, { items: emails(5), signal: stop.signal });
  await eventually(
    () => world.sandbox.journal.list().some((entry) => entry.status === status),
    `the service responded ${status}`,
  );
  stop.abort();
  expect((await running).error?.message).toBe('This operation was aborted');
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
  'canceling ends the execution beside On Error %s, and makes no item of it',
  async (onError) => {
    world = await startWorld();
    const headers = { 'retry-after': '840' };
    const fault = { fault: 'status', status: 503, path: '/coupons', headers } as const;
    world.sandbox.faults.add({ ...fault, skip: 2 });
    const stop = new AbortController();
    const node = { type: 'screenAdvertising', parameters: coupon, onError };
    const running = world.engine.runNode(node, { items: emails(9), signal: stop.signal });
    await eventually(
      () => world.sandbox.journal.list().some(({ status }) => status === 503),
      'the service responded 503',
    );
    stop.abort();
    const { error, output } = await running;
    expect(error?.message).toBe('This operation was aborted');
    const items = [output(actionNode, 0), output(actionNode, 1)].flat();
    expect(items.filter(({ json }) => 'error' in json)).toEqual([]);
    expect(world.sandbox.journal.list().filter(({ method }) => method === 'POST')).toHaveLength(3);
  },
);
