import { beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { type Running, secretKey, start, startAt } from '../support/running-relay.ts';

const type = 'campaign.paid';
/** More than a relay works on at once. */
const stored = 1_100;

let running: Running;
let id: string;

beforeEach(async () => {
  running = await start({ role: 'ingress' });
  id = await subscribe(running, 'https://hooks.example.com/1');
  await Promise.all(
    Array.from({ length: stored }, (_, nth) => running.deliver({ id: String(nth), type })),
  );
});

async function subscribe({ call }: Running, target_url: string): Promise<string> {
  return (await call('PUT', '/subscriptions', { target_url, events: [type] })).body.id;
}

/** As a command does it: a process that has no time for what is left to do. */
async function byCommand(work: (relay: Running['relay']) => Promise<unknown>): Promise<void> {
  const { databaseUrl } = running;
  const relay = await createRelay({ databaseUrl, secretKey, clock: 'frozen', startAt });
  try {
    await work(relay);
  } finally {
    await relay.close();
  }
}

async function countOf(state: 'pending' | 'dead'): Promise<number> {
  const metrics = await (await fetch(`${running.url}/metrics`)).text();
  return Number(new RegExp(`^relay_deliveries{state="${state}"} (\\d+)$`, 'm').exec(metrics)?.[1]);
}

describe('the deliveries of a subscription with a large backlog', () => {
  it.each<[what: string, reason: string, switchOff: () => Promise<unknown>]>([
    ['is switched off', 'by_hand', () => byCommand((relay) => relay.subscriptions.off(id))],
    [
      'loses its token',
      'token_revoked',
      () =>
        byCommand(async ({ tokens }) => {
          const [token] = await tokens.list();
          await tokens.revoke('main', token?.name ?? '');
        }),
    ],
    ['is deleted', 'deleted', () => running.call('DELETE', `/subscriptions/${id}`)],
  ])('that %s all die, and later events bring no others', async (_what, reason, switchOff) => {
    await switchOff();
    await running.deliver({ id: 'later', type });
    const { relay } = await start({ role: 'sender', databaseUrl: running.databaseUrl });
    await relay.clock.advance(0);
    expect([await countOf('pending'), await countOf('dead')]).toEqual([0, stored]);
    const { data } = await relay.deliveries.list({ source: 'main', limit: 200 });
    expect(new Set(data.map((delivery) => delivery.reason))).toEqual(
      new Set([`subscription_off: ${reason}`]),
    );
  });
});

it('a delivery whose attempt fails after its subscription is switched off dies, too', async () => {
  const receiver = await startReceiver(['hang']);
  const both = await start({ deliveryTimeoutMs: 400 });
  const own = await subscribe(both, receiver.url);
  await both.deliver({ id: '1', type });
  await eventually(() => receiver.arrivals.length === 1);
  await both.relay.subscriptions.off(own);
  const deliveries = async () => (await both.call('GET', '/deliveries')).body.data;
  await eventually(async () => (await deliveries())[0].attempts.length === 1);
  await both.relay.clock.advance(0);
  await both.relay.clock.advance(0);
  expect(await deliveries()).toMatchObject([
    { state: 'dead', reason: 'subscription_off: by_hand', attempts: [{ status: null }] },
  ]);
});
