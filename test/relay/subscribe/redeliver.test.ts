import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../../sandbox/support/receiver.ts';
import { type Actor, accepted, startActor } from '../support/actor.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

const firstRetryMs = 5_000;
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

async function subscribed(): Promise<string> {
  const id = await subscribe(running, actor.url, { events: kinds });
  await running.relay.clock.advance(1);
  return id;
}

async function missing(id: string) {
  const body = { missing: true, from: startedAt };
  const response = await running.call('POST', `/subscriptions/${id}/redeliver`, body);
  await running.relay.clock.advance(1);
  return response;
}

/** The events that arrived at the target. */
const arrived = () =>
  actor.requests.map((request) => Number(/"id":"evt_(\w+)"/.exec(request)?.[1]));

it('events that a subscription missed are delivered once, those of its types, from before it existed', async () => {
  await deliver(1);
  await deliver(2, 'user.registered');
  await deliver(3, 'coupon.redeemed');
  const id = await subscribed();
  await deliver(4);
  expect(arrived()).toEqual([4]);
  const response = await missing(id);
  expect([response.status, response.body]).toEqual([202, { deliveries: 2, has_more: false }]);
  expect(arrived().sort()).toEqual([1, 3, 4]);
  expect((await missing(id)).body.deliveries).toBe(0);
  expect(arrived()).toHaveLength(3);
});

it('a stored event can be delivered to a subscription that came later, whatever its type', async () => {
  await deliver(1, 'user.registered');
  const subscription = await subscribed();
  const [{ id }] = (await running.call('GET', '/events')).body.data;
  const { body } = await running.call('POST', `/events/${id}/redeliver`, { subscription });
  expect(body).toEqual({ deliveries: 1, has_more: false });
  await running.relay.clock.advance(1);
  expect(arrived()).toEqual([1]);
  expect(actor.requests[0]).toContain(`webhook-id: ${id}`);
});

/** The `webhook-id` of each delivery, with `evt` for the event's own. */
function idsOf({ arrivals }: Receiver): string[] {
  return arrivals.map(({ headers }) =>
    String(headers['webhook-id']).replace(String(headers['x-relay-event']), 'evt'),
  );
}

describe('the webhook-id of a delivery', () => {
  it('is new for each redelivery of an event to a subscription, and the same for its retries', async () => {
    const receiver = await startReceiver([500, 200, 500]);
    const other = await startReceiver();
    const { call, relay } = running;
    const id = await subscribe(running, receiver.url);
    await running.deliver({ id: '1', type: 'campaign.paid' });
    await relay.clock.advance(firstRetryMs);
    const [{ id: delivery, event_id: event }] = (await call('GET', '/deliveries')).body.data;
    await call('POST', `/subscriptions/${id}/redeliver`, { deliveries: [delivery] });
    await relay.clock.advance(firstRetryMs);
    await call('POST', `/events/${event}/redeliver`);
    await relay.clock.advance(0);
    expect(idsOf(receiver)).toEqual(['evt', 'evt', 'evt_r1', 'evt_r1', 'evt_r2']);
    expect(receiver.arrivals[4]?.headers).toMatchObject({
      'x-relay-event': event,
      'x-relay-attempt': '5',
    });
    const later = await subscribe(running, other.url, { name: 'later' });
    await call('POST', `/events/${event}/redeliver`, { subscription: later });
    await relay.clock.advance(0);
    expect(idsOf(other)).toEqual(['evt_r1']);
    expect((await call('GET', `/deliveries/${delivery}`)).body.replays).toBe(2);
  });

  it('is the event ID for what a subscription missed, and moves with it when replaced', async () => {
    const [first, moved] = await Promise.all([startReceiver([500, 200, 500]), startReceiver()]);
    const { call, relay } = running;
    await running.deliver({ id: '1', type: 'campaign.paid' });
    const id = await subscribe(running, first.url);
    const from = '2027-03-01T00:00:00Z';
    await call('POST', `/subscriptions/${id}/redeliver`, { missing: true, from });
    await relay.clock.advance(firstRetryMs);
    await call('POST', `/subscriptions/${id}/redeliver`, { states: ['delivered'] });
    await relay.clock.advance(0);
    await call('DELETE', `/subscriptions/${id}`);
    await subscribe(running, moved.url, { replaces: id });
    await relay.clock.advance(0);
    expect([idsOf(first), idsOf(moved)]).toEqual([['evt', 'evt', 'evt_r1'], ['evt_r1']]);
  });

  it('of a redelivery arrives although an attempt from before it succeeds afterwards', async () => {
    const target = await startActor([
      (socket) => {
        const redelivered = running
          .call('GET', '/events')
          .then(({ body }) =>
            running.call('POST', `/events/${body.data[0].id}/redeliver`, { subscription: id }),
          );
        void redelivered.then(() => socket.write(accepted));
      },
    ]);
    const id = await subscribe(running, target.url);
    await running.deliver({ id: '1', type: 'campaign.paid' });
    await running.relay.clock.advance(0);
    const sent = target.requests.map(
      (request) => /^webhook-id: evt_\w{32}(.*)/im.exec(request)?.[1],
    );
    expect(sent).toEqual(['', '_r1']);
    const [delivery] = (await running.call('GET', '/deliveries')).body.data;
    expect(delivery).toMatchObject({ state: 'delivered', replays: 1 });
    expect(delivery.attempts).toHaveLength(2);
  });
});
