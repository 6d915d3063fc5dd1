import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import {
  onDatabase,
  ownSource,
  type Running,
  start,
  subscribe as subscribeWith,
} from '../support/running-relay.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

const day = 24 * 3_600_000;
const name = 'zapier';

let shared: Running;
let running: Running;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let oldToken: string;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  running = await ownSource(shared);
  receiver = await startReceiver();
  oldToken = (await running.relay.tokens.create(running.source, name)).token;
});

const subscribe = (token = oldToken) => subscribeWith(running, receiver.url, { token });

const rotate = async (now = false) =>
  (await running.relay.tokens.rotate(running.source, name, { now })).token;
/** A DELETE has no body. */
const notices = () => receiver.arrivals.filter(({ body }) => body === '').length;
const state = async () => {
  const [only] = (await running.relay.operate('subscriptions.list', { source: running.source }))
    .data;
  return only?.off_reason ?? only?.state;
};

async function pass(ms: number): Promise<void> {
  await running.relay.clock.advance(ms);
  // The maintenance switches off, and sends the next time.
  for (let time = 0; time < 2; time += 1) await running.relay.clock.advance(0);
}

describe('a subscription whose key is rotated', () => {
  it('ends with a DELETE a day after the rotation, if the new key was not used', async () => {
    await subscribe();
    await rotate();
    await pass(day - 1);
    expect([await state(), notices()]).toEqual(['active', 0]);
    await pass(1);
    expect([await state(), notices()]).toEqual(['key_rotated', 1]);
    await pass(day);
    expect(notices()).toBe(1);
  });

  it('stays if the new key was used for any request, and not just the old one', async () => {
    await subscribe();
    const token = await rotate();
    await running.call('GET', '/me', undefined, oldToken);
    await subscribe();
    await rotate();
    await pass(day);
    expect(await state()).toBe('key_rotated');
    await subscribe(await rotate());
    expect((await running.call('GET', '/me', undefined, token)).status).toBe(401);
    await pass(2 * day);
    expect([await state(), notices()]).toEqual(['active', 1]);
  });

  it.each<[what: string, use: (token: string) => Promise<unknown>]>([
    ['subscribes it', subscribe],
    ['asks who it is', (token) => running.call('GET', '/me', undefined, token)],
  ])('continues where it stopped once the new key %s', async (_what, use) => {
    await subscribe();
    const token = await rotate();
    await pass(day);
    await running.deliver({ id: 'evt_1', type: 'campaign.paid', data: {} });
    await pass(5 * day);
    expect([await state(), notices()]).toEqual(['key_rotated', 1]);
    await use(token);
    expect(await state()).toBe('active');
    await pass(5 * day);
    expect(receiver.arrivals.map(({ body }) => body.includes('evt_1'))).toEqual([false, true]);
    expect(await state()).toBe('active');
  });

  it('cannot be switched on before: the operator learns why', async () => {
    const id = await subscribe();
    await rotate();
    await pass(day);
    await expect(
      running.relay.operate('subscriptions.change', {
        id,
        state: 'active',
        source: running.source,
      }),
    ).rejects.toThrow(
      'The key of this subscription was rotated, and the new one has not been used. Enter it in the connector: its first request switches the subscription on.',
    );
    await running.call('DELETE', `/subscriptions/${id}`, undefined, await rotate());
    expect(await state()).toBeUndefined();
  });

  it('ends at once after a leak', async () => {
    await subscribe();
    const token = await rotate(true);
    expect(await state()).toBe('key_rotated');
    expect((await running.call('GET', '/me', undefined, oldToken)).status).toBe(401);
    await running.deliver({ id: 'evt_1', type: 'campaign.paid', data: {} });
    await pass(0);
    expect(receiver.arrivals.filter(({ body }) => body !== '')).toEqual([]);
    await running.call('GET', '/me', undefined, token);
    await pass(0);
    const [arrived] = receiver.arrivals.filter(({ body }) => body !== '');
    // The leaked key signs nothing any more.
    expect(arrived?.headers['webhook-signature']).toMatch(/^v1,\S{44}$/);
  });
});

it.each<[what: string, before: () => Promise<string>, ask: (token: string) => Promise<unknown>]>([
  ['the end of a key', async () => oldToken, () => rotate(true)],
  [
    'the first use of a new key',
    () => rotate(true),
    (token) => running.call('GET', '/me', undefined, token),
  ],
])('%s locks subscriptions by number, as results do', async (_, before, ask) => {
  for (const path of ['/1', '/2']) {
    await subscribeWith(running, receiver.url + path, { token: oldToken });
  }
  const token = await before();
  const own = `token_number = (SELECT token_number FROM subscription ORDER BY number DESC LIMIT 1)`;
  await onDatabase(running.databaseUrl, async (client) => {
    // The table has the first one behind the second one, and PostgreSQL knows that it is small.
    await client.query(`UPDATE subscription SET name = 'moved' WHERE number = (
      SELECT min(number) FROM subscription WHERE ${own})`);
    await client.query('ANALYZE subscription');
    await client.query(`BEGIN; SELECT FROM subscription WHERE number = (
      SELECT min(number) FROM subscription WHERE ${own}) FOR NO KEY UPDATE`);
    const asked = ask(token);
    await waitForLocks(running, 1);
    await client.query(`SELECT FROM subscription WHERE ${own} FOR NO KEY UPDATE NOWAIT`);
    await client.query('COMMIT');
    await asked;
  });
});

it('the address of the operator stays subscribed, although its key is never used', async () => {
  const relay = await start({ problemUrl: receiver.url });
  await relay.relay.tokens.rotate('main', 'relay problems');
  await relay.relay.clock.advance(3 * day);
  await relay.relay.clock.advance(0);
  const { data } = await relay.relay.operate('subscriptions.list');
  expect(data).toMatchObject([{ target_url: receiver.url, state: 'active' }]);
});
