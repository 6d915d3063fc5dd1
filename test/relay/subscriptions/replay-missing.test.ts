import { beforeEach, describe, expect, it } from '@jest/globals';
import { replayMissing } from '../../../packages/relay/src/subscriptions/replay-missing.ts';
import { type Actor, rawResponse, startActor } from '../support/actor.ts';
import { jobs, onContext } from '../support/jobs.ts';
import { type Running, start } from '../support/running-relay.ts';

const startedAt = '2027-03-01T09:00:00Z';
const kinds = ['campaign.paid', 'coupon.redeemed'];

let running: Running;
let actor: Actor;

beforeEach(async () => {
  running = await start();
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
    const period = { since: '2027-03-01T09:00:01Z', until: '2027-03-01T09:00:02Z' };
    expect((await missing(id, period)).body.deliveries).toBe(1);
    expect(arrived()).toEqual([2]);
  });

  it('are delivered in batches when they are many, also after a process died', async () => {
    for (const id of [1, 2, 3, 4, 5]) await deliver(id);
    await subscribe();
    await onContext(running, async (context) => {
      const subscription = { number: 1, source_number: 1 };
      const since = Date.parse(startedAt);
      expect(await replayMissing(context, subscription, { since }, 2)).toEqual({
        deliveries: 2,
        has_more: true,
      });
    });
    expect(await jobs(running)).toEqual([{ batches: 1 }]);
    // The relay's own maintenance continues.
    await running.relay.clock.advance(60_000);
    expect(await jobs(running)).toEqual([]);
    expect(arrived().sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    [{}, /^since: /],
    [{ since: 'yesterday' }, /^since: use a timestamp such as 2027-03-01T09:00:00Z\.$/],
    [{ since: startedAt, until: 5 }, /^until: /],
  ])('%j is refused', async (body, detail) => {
    const response = await missing(await subscribe(), body);
    expect(response.status).toBe(400);
    expect(response.body.detail).toMatch(detail);
  });

  it('are not delivered to a subscription that is off, or of another source', async () => {
    const id = await subscribe();
    await running.relay.sources.add('other', 'another-signing-secret');
    const { token } = await running.relay.tokens.create('other', 'stranger');
    const path = `/subscriptions/${id}/replay-missing`;
    expect((await running.call('POST', path, { since: startedAt }, token)).status).toBe(404);
    await running.relay.subscriptions.off(id, { source: 'main' });
    const { status, body } = await missing(id);
    expect([status, body.detail]).toEqual([
      409,
      'The subscription is off. Switch it on with PUT /api/v1/subscriptions, then replay.',
    ]);
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
    await running.relay.subscriptions.off(id);
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

describe('retrying a delivery now', () => {
  it('makes the next attempt of a pending one, and refuses any other', async () => {
    actor = await startActor(Array(5).fill(rawResponse(500)));
    await subscribe();
    await deliver(1);
    const tried = actor.requests.length;
    const [{ id }] = (await running.call('GET', '/deliveries')).body.data;
    const retry = () => running.call('POST', `/deliveries/${id}/retry`);
    const { status, body } = await retry();
    expect([status, body]).toEqual([202, { retried: 1, has_more: false }]);
    await running.relay.clock.advance(1);
    expect(actor.requests).toHaveLength(tried + 1);
    const { data } = (await running.call('GET', '/subscriptions')).body;
    await running.relay.subscriptions.off(data[0].id);
    await running.relay.clock.advance(60_000);
    const refused = await retry();
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'The delivery is not pending. To deliver it again, replay it.',
    ]);
  });
});
