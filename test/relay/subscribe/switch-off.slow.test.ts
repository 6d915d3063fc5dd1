import { beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';
import { subscribe } from '../support/subscribe.ts';

const type = 'campaign.paid';
const waiting = 1_100;

let running: Running;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let id: string;

beforeEach(async () => {
  running = await start();
  receiver = await startReceiver();
  id = await subscribe(running, receiver.url);
});

describe('a subscription for which many events wait', () => {
  beforeEach(() =>
    onDatabase(running.databaseUrl, (client) =>
      storeEvents(client, { count: waiting, type, state: 'waiting' }),
    ),
  );

  it('gets none of them while it is off, and all once it is on again', async () => {
    await running.relay.subscriptions.off(id);
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toEqual([]);
    await running.relay.subscriptions.on(id);
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(waiting);
  });

  it('gets none of them once its token is revoked', async () => {
    const [token] = await running.relay.tokens.list();
    await running.relay.tokens.revoke('main', token?.name ?? '');
    await running.relay.clock.advance(0);
    // The target also gets a DELETE, because nothing more comes.
    expect(receiver.arrivals.filter(({ body }) => body !== '')).toEqual([]);
  });

  it('leaves them to the next one that catches up', async () => {
    await running.call('DELETE', `/subscriptions/${id}`);
    await running.relay.clock.advance(3_600_000);
    expect(receiver.arrivals).toEqual([]);
    const put = { target_url: receiver.url, events: [type], catch_up: true };
    await running.call('PUT', '/subscriptions', put);
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(waiting);
  });
});

describe('a delivery whose attempt fails after its subscription', () => {
  it.each([
    ['is switched off waits until it is on', 'off', { state: 'pending', reason: null }],
    ['is deleted dies ten minutes later', 'deleted', { state: 'dead', reason: 'unsubscribed' }],
  ])('%s', async (_what, how, expected) => {
    const both = await start({ deliveryTimeoutMs: 400 });
    const silent = await startReceiver(['hang']);
    const own = await subscribe(both, silent.url);
    await both.deliver({ id: '1', type });
    await eventually(() => silent.arrivals.length === 1, 'the event arrived');
    if (how === 'off') await both.relay.subscriptions.off(own);
    else await both.call('DELETE', `/subscriptions/${own}`);
    const deliveries = async () => (await both.call('GET', '/deliveries')).body.data;
    await eventually(async () => (await deliveries()).length === 1, 'the delivery exists');
    if (how === 'deleted') await both.relay.clock.advance(600_001);
    for (const _ of ['begins', 'has ended']) await both.relay.clock.advance(0);
    expect(await deliveries()).toMatchObject([{ ...expected, attempts: [{ status: null }] }]);
  });
});
