import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../../sandbox/support/receiver.ts';
import { firstRetryMs } from '../sender/scene.ts';
import { accepted, startActor } from '../support/actor.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';
import { subscribe } from '../support/subscribe.ts';

const type = 'campaign.paid';

/** The `webhook-id` of each delivery, with `evt` for the event's own. */
function idsOf({ arrivals }: Receiver): string[] {
  return arrivals.map(({ headers }) =>
    String(headers['webhook-id']).replace(String(headers['x-relay-event']), 'evt'),
  );
}

let shared: Running;

beforeAll(async () => {
  shared = await start();
});

describe('the webhook-id of a delivery', () => {
  it('is new for each replay of an event to a subscription, and the same for its retries', async () => {
    const receiver = await startReceiver([500, 200, 500]);
    const other = await startReceiver();
    const running = await ownSource(shared);
    const { call, relay } = running;
    await subscribe(running, receiver.url);
    await running.deliver({ id: '1', type });
    await relay.clock.advance(firstRetryMs);
    const [{ id: delivery, event_id: event }] = (await call('GET', '/deliveries')).body.data;
    await call('POST', `/deliveries/${delivery}/replay`);
    await relay.clock.advance(firstRetryMs);
    await call('POST', `/events/${event}/replay`);
    await relay.clock.advance(0);
    expect(idsOf(receiver)).toEqual(['evt', 'evt', 'evt_r1', 'evt_r1', 'evt_r2']);
    expect(receiver.arrivals[4]?.headers).toMatchObject({
      'x-relay-event': event,
      'x-relay-attempt': '5',
    });
    const later = await subscribe(running, other.url, { name: 'later' });
    await call('POST', `/events/${event}/replay`, { subscription_id: later });
    await relay.clock.advance(0);
    expect(idsOf(other)).toEqual(['evt_r1']);
    expect((await call('GET', `/deliveries/${delivery}`)).body.replays).toBe(2);
  });

  it('is the event ID for what a subscription missed, and moves with it when replaced', async () => {
    const [first, moved] = await Promise.all([startReceiver([500, 200, 500]), startReceiver()]);
    const running = await ownSource(shared);
    const { call, relay } = running;
    await running.deliver({ id: '1', type });
    const id = await subscribe(running, first.url);
    const since = '2027-03-01T00:00:00Z';
    await call('POST', `/subscriptions/${id}/replay-missing`, { since });
    await relay.clock.advance(firstRetryMs);
    await call('POST', `/subscriptions/${id}/replay`);
    await relay.clock.advance(0);
    await call('DELETE', `/subscriptions/${id}`);
    await subscribe(running, moved.url, { replaces: id });
    await relay.clock.advance(0);
    expect([idsOf(first), idsOf(moved)]).toEqual([['evt', 'evt', 'evt_r1'], ['evt_r1']]);
  });

  it('of a replay arrives although an attempt from before it succeeds afterwards', async () => {
    const running = await ownSource(shared);
    const target = await startActor([
      (socket) => {
        const replayed = running
          .call('GET', '/events')
          .then(({ body }) =>
            running.call('POST', `/events/${body.data[0].id}/replay`, { subscription_id: id }),
          );
        void replayed.then(() => socket.write(accepted));
      },
    ]);
    const id = await subscribe(running, target.url);
    await running.deliver({ id: '1', type });
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
