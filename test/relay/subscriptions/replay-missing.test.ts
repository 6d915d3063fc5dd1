import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor, startActor } from '../support/actor.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const kinds = ['campaign.paid', 'coupon.redeemed'];

let shared: Running;
let running: Running;
let startedAt: string;
let actor: Actor;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  running = await ownSource(shared);
  startedAt = new Date(running.relay.clock.now()).toISOString();
  actor = await startActor();
});

async function deliver(id: number, type = 'campaign.paid'): Promise<void> {
  await running.deliver({ id: `evt_${id}`, type, data: {} });
  await running.relay.clock.advance(1_000);
}

async function subscribe(more: object = {}): Promise<string> {
  const { body } = await running.call('PUT', '/subscriptions', {
    target_url: actor.url,
    events: kinds,
    ...more,
  });
  await running.relay.clock.advance(1);
  return body.id;
}

async function missing(id: string, body: object = { since: startedAt }) {
  const response = await running.call('POST', `/subscriptions/${id}/replay-missing`, body);
  await running.relay.clock.advance(1);
  return response;
}

/** The events that arrived at the target. */
const arrived = () =>
  actor.requests.map((request) => Number(/"id":"evt_(\w+)"/.exec(request)?.[1]));

describe('events that a subscription missed', () => {
  it('are delivered once, those of its types, from before it existed', async () => {
    await deliver(1);
    await deliver(2, 'user.registered');
    await deliver(3, 'coupon.redeemed');
    const id = await subscribe();
    await deliver(4);
    expect(arrived()).toEqual([4]);
    const response = await missing(id);
    expect([response.status, response.body]).toEqual([202, { deliveries: 2, has_more: false }]);
    expect(arrived().sort()).toEqual([1, 3, 4]);
    expect((await missing(id)).body.deliveries).toBe(0);
    expect(arrived()).toHaveLength(3);
  });

  it('are only those of the period', async () => {
    for (const id of [1, 2, 3]) await deliver(id);
    const id = await subscribe();
    const [since, until] = [1_000, 2_000].map((ms) => Date.parse(startedAt) + ms);
    const period = { since: new Date(since ?? 0), until: new Date(until ?? 0) };
    expect((await missing(id, period)).body.deliveries).toBe(1);
    expect(arrived()).toEqual([2]);
  });
});

describe('a stored event', () => {
  it('can be delivered to a subscription that came later, whatever its type', async () => {
    await deliver(1, 'user.registered');
    const subscription_id = await subscribe();
    const [{ id }] = (await running.call('GET', '/events')).body.data;
    const replay = () => running.call('POST', `/events/${id}/replay`, { subscription_id });
    expect((await replay()).body).toEqual({ replayed: 1, has_more: false });
    await running.relay.clock.advance(1);
    expect(arrived()).toEqual([1]);
    expect(actor.requests[0]).toContain(`webhook-id: ${id}`);
  });
});

describe('subscribing with catch_up', () => {
  it('delivers what arrived since the last subscription with this target ended', async () => {
    await deliver(1);
    const first = await subscribe();
    await deliver(2);
    await running.call('DELETE', `/subscriptions/${first}`);
    await deliver(3);
    await subscribe({ catch_up: true });
    expect(arrived().sort()).toEqual([2, 3]);
    await subscribe({ catch_up: true });
    expect(arrived()).toHaveLength(2);
  });

  it('delivers what arrived while it was off', async () => {
    const id = await subscribe();
    await running.relay.subscriptions.off(id, running);
    await deliver(1);
    await subscribe({ catch_up: true });
    expect(arrived()).toEqual([1]);
  });

  it('delivers nothing to a first one, and nothing without it', async () => {
    await deliver(1);
    const first = await subscribe({ catch_up: true });
    await running.call('DELETE', `/subscriptions/${first}`);
    await deliver(2);
    await subscribe();
    expect(arrived()).toEqual([]);
  });
});
