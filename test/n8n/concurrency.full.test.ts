import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { hurriedTime, openDoor } from './door.ts';
import { createPoller } from './engine/poller.ts';
import { actionNode, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.stop());

const lookUp = {
  authentication: 'apiKey',
  resource: 'user',
  operation: 'lookUp',
  email: '={{ $json.email }}',
};
const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `lead-${index}@example.com` }));

/** Every third lead is a user, so that a response shows which item it belongs to. */
function addUsers({ sandbox }: World, count: number): void {
  for (let index = 0; index < count; index += 3) {
    sandbox.users.add({ user_id: `usr_lead_${index}`, email: `lead-${index}@example.com` });
  }
}

function expected(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    json: index % 3 === 0 ? { exists: true, user_id: `usr_lead_${index}` } : { exists: false },
    pairedItem: { item: index },
  }));
}

describe('300 items of User: Look Up', () => {
  it('are under way a hundred at a time', async () => {
    world = await startWorld({}, hurriedTime());
    addUsers(world, 300);
    const door = await openDoor(world);
    expect(await world.items(lookUp, { items: emails(300) })).toMatchObject(expected(300));
    expect(door.crowds).toEqual([100, 100, 100]);
    await door.close();
  });

  it('lose nothing and show no 429 when the service allows 60 per minute', async () => {
    world = await startWorld({ clock: 'frozen', rateLimit: { requests: 60 } });
    addUsers(world, 300);
    const startedAt = world.sandbox.clock.now();
    const items = await world.items(lookUp, { items: emails(300) });
    expect(items).toMatchObject(expected(300));
    expect(world.sandbox.journal.list().filter(({ status }) => status === 429)).not.toEqual([]);
    expect(world.sandbox.clock.now() - startedAt).toBeGreaterThanOrEqual(4 * 60_000);
  });
});

it('all nodes of an access keep its limit together', async () => {
  world = await startWorld({ clock: 'frozen' });
  await world.items(lookUp, { items: emails(600) });
  const startedAt = world.sandbox.clock.now();
  const poller = createPoller(world.engine, {
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'apiKey', events: ['campaign_request.created'] },
  });
  await poller.poll();
  expect(world.sandbox.clock.now() - startedAt).toBeGreaterThan(30_000);
  expect(world.sandbox.journal.list().filter(({ status }) => status === 429)).toEqual([]);
});

const coupon = {
  ...lookUp,
  resource: 'coupon',
  operation: 'create',
  discount_type: 'free_days',
  discount_value: 2,
  lead_email: '={{ $json.email }}',
};

describe('when the service refuses each item, only the items already running are requested', () => {
  it.each([
    ['a hundred reads', lookUp, 100],
    ['one write', coupon, 1],
    ['as many as the option says', { ...coupon, options: { concurrency: 200 } }, 200],
  ])('%s', async (_what, parameters, count) => {
    world = await startWorld({}, hurriedTime());
    const door = await openDoor(world);
    world.engine.credentials.screenAdvertisingApi = {
      ...world.engine.credentials.screenAdvertisingApi,
      apiKey: 'svc_of_somebody_else',
    };
    const { error } = await world.run(parameters, { items: emails(400) });
    expect(error?.description).toMatch(/API key/);
    expect(door.crowds).toEqual([count]);
    await door.close();
  });
});

it('a failure ends the node with the first failed item, and starts no further ones', async () => {
  world = await startWorld();
  const items = [...emails(20), { email: 'not an address' }, { email: 'neither' }, ...emails(400)];
  const { error } = await world.run(lookUp, { items });
  expect(error).toMatchObject({
    message: "'Email' must be an email address such as lead@example.com",
    context: { itemIndex: 20 },
  });
  expect(world.sandbox.journal.list().length).toBeLessThan(150);
});

it('failed items keep their place when the workflow continues', async () => {
  world = await startWorld();
  const items = [{ email: 'one@example.com' }, { email: 'wrong' }, { email: 'two@example.com' }];
  const result = await world.engine.runNode(
    { type: 'screenAdvertising', parameters: lookUp, onError: 'continueRegularOutput' },
    { items },
  );
  expect(result.error).toBeUndefined();
  expect(result.output(actionNode)).toMatchObject([
    { json: { exists: false }, pairedItem: { item: 0 } },
    {
      json: {
        error: expect.stringMatching(
          /^'Email' must be an email address such as lead@example\.com\. /,
        ),
        details: { code: 'invalid_input', retryable: false },
      },
      pairedItem: { item: 1 },
    },
    { json: { exists: false }, pairedItem: { item: 2 } },
  ]);
});

it('failed items go to the error output, if it exists', async () => {
  world = await startWorld();
  const result = await world.engine.runNode(
    { type: 'screenAdvertising', parameters: lookUp, onError: 'continueErrorOutput' },
    { items: [{ email: 'wrong' }, { email: 'one@example.com' }] },
  );
  expect(result.output(actionNode, 0)).toMatchObject([{ json: { exists: false } }]);
  expect(result.output(actionNode, 1)).toMatchObject([
    {
      json: {
        email: 'wrong',
        error: expect.stringMatching(
          /^'Email' must be an email address such as lead@example\.com\. /,
        ),
        details: { code: 'invalid_input' },
      },
    },
  ]);
});

it.each([429, 503])('canceling ends the pause of minutes after a %i', async (status) => {
  world = await startWorld();
  const headers = { 'retry-after': '840' };
  world.sandbox.faults.add({ fault: 'status', status, path: '/users/lookup', headers });
  const stop = new AbortController();
  const running = world.run(lookUp, { items: emails(5), signal: stop.signal });
  await eventually(() => world.sandbox.journal.list().some((entry) => entry.status === status));
  stop.abort();
  // For Jest, the reason of an AbortController is an Error of another realm: so its name comes first.
  expect((await running).error?.message).toMatch(/^(AbortError: )?This operation was aborted$/);
});
