import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { openPage } from '../page/support.ts';
import { type Running, start, subscribe } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';

/** Seven events, one a second from 09:00:01 on, for two subscriptions, of which one ignored two. */
async function delivered(): Promise<{ running: Running; ids: string[]; arrived: () => string[] }> {
  const receivers = await Promise.all([startReceiver(), startReceiver()]);
  const running = await start();
  const ids: string[] = [];
  for (const { url } of receivers) {
    ids.push(await subscribe(running, url));
  }
  const { answerHeaders } = receivers[0];
  for (let number = 1; number <= 7; number += 1) {
    answerHeaders['x-screen-advertising-ignored'] = number <= 2 ? 'not_wanted' : '';
    await running.relay.clock.advance(1_000);
    await running.deliver({ id: String(number), type, data: {} });
    await running.relay.clock.advance(0);
  }
  for (const { arrivals } of receivers) arrivals.length = 0;
  const arrived = () =>
    receivers.map(({ arrivals }) =>
      arrivals
        .splice(0)
        .map(({ body }) => JSON.parse(body).id)
        .sort()
        .join(' '),
    );
  return { running, ids, arrived };
}

it('a redelivery sends all, a period, one event, some deliveries, and those in a state', async () => {
  const { running, ids, arrived } = await delivered();
  const [first, second] = ids;
  const { data } = (await running.call('GET', '/deliveries?limit=4')).body;
  // Newest first: events 7 and 6, each for the second subscription and then the first.
  const [, delivery, { event_id: event }, third] = data;
  const of = (id: string | undefined) => `/subscriptions/${id}/redeliver`;
  const all = ['pending', 'delivered', 'ignored', 'dead'];
  const rows: [path: string, body: object, first: string, second: string][] = [
    [of(first), { states: ['ignored'] }, '1 2', ''],
    [of(first), { states: ['ignored'] }, '', ''],
    [of(first), { states: all }, '1 2 3 4 5 6 7', ''],
    [of(second), { states: all, from: '2027-03-01T09:00:06Z' }, '', '6 7'],
    [of(second), { states: all, to: '2027-03-01T09:00:03Z' }, '', '1 2'],
    [
      of(second),
      { states: ['delivered'], from: '2027-03-01T10:00:03+01:00', to: '2027-03-01T09:00:05Z' },
      '',
      '3 4',
    ],
    [of(second), { missing: true }, '', ''],
    [`/events/${event}/redeliver`, {}, '6', '6'],
    [`/events/${event}/redeliver`, { subscription: second }, '', '6'],
    [of(first), { deliveries: [delivery.id, third.id, delivery.id] }, '6 7', ''],
  ];
  for (const [path, body, ...expected] of rows) {
    const answer = await running.call('POST', path, body);
    const deliveries = expected.join(' ').split(' ').filter(Boolean).length;
    expect([path, body, answer.body]).toEqual([path, body, { deliveries, has_more: false }]);
    await running.relay.clock.advance(0);
    expect([path, body, ...arrived()]).toEqual([path, body, ...expected]);
  }
});

it('a redelivery of more than are counted says so, and is carried out by the next process', async () => {
  const receiver = await startReceiver();
  const running = await openPage({ role: 'ingress', startAt: Date.now() });
  const { relay, databaseUrl, visitor } = running;
  const subscription = await subscribe(running, receiver.url);
  await storeEvents(running, { count: 2_500, type, state: 'delivered' });
  const redeliver = (fields: object) =>
    visitor.submit('subscriptions.redeliver', { subscription, ...fields });
  const since = new Date(relay.clock.now() - 24 * 3_600_000).toISOString();
  expect(await redeliver({ missing: 'true', since })).toBe(
    'The relay looks for them in the background.',
  );
  expect(await redeliver({ states: 'delivered' })).toBe(
    'Queued 2000 deliveries. The relay looks for more in the background.',
  );
  await relay.close();
  const sender = await start({ databaseUrl, startAt: Date.now() });
  await sender.relay.clock.advance(0);
  const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([2_500, 2_500]);
});

/** A relay with three deliveries whose next attempt is due later. */
async function prepared() {
  const receiver = await startReceiver([500, 500, 500]);
  const running = await start();
  const subscription = await subscribe(running, receiver.url);
  for (const id of ['1', '2', '3']) {
    await running.deliver({ id, type, data: {} });
    await running.relay.clock.advance(0);
  }
  const pending = async () => (await running.call('GET', '/deliveries?state=pending')).body.data;
  return { ...running, receiver, id: subscription, pending };
}

describe('pending deliveries', () => {
  it('are retried now when they are named, and others wait', async () => {
    const { call, relay, id, pending } = await prepared();
    const [third, second] = await pending();
    const retry = async (...deliveries: string[]) =>
      call('POST', `/subscriptions/${id}/retry`, { deliveries });
    const { status, body } = await retry(third.id, second.id, third.id);
    expect([status, body]).toEqual([202, { deliveries: 2, has_more: false }]);
    await relay.clock.advance(0);
    expect(await pending()).toHaveLength(1);
    expect((await retry(third.id, second.id)).body).toEqual({ deliveries: 0, has_more: false });
  });

  it.each(['all', 'one'])(
    'are attempted ten times by hand, %s of them, and keep their place in the schedule',
    async (which) => {
      const { call, relay, id, receiver, pending } = await prepared();
      receiver.answers.push(...Array(40).fill(500));
      const [delivery] = await pending();
      const asked = which === 'one' ? { deliveries: [delivery.id] } : {};
      const deliveries = which === 'one' ? 1 : 3;
      for (let count = 0; count < 10; count += 1) {
        const { status, body } = await call('POST', `/subscriptions/${id}/retry`, asked);
        expect([status, body]).toEqual([202, { deliveries, has_more: false }]);
        await relay.clock.advance(0);
      }
      expect(receiver.arrivals).toHaveLength(3 + 10 * deliveries);
      const left = (await pending()).map((one: { next_attempt_at: string }) => one.next_attempt_at);
      expect(left).toEqual(Array(3).fill('2027-03-01T09:00:05.000Z'));
      await relay.clock.advance(5_000);
      const [next] = await pending();
      expect(next).toMatchObject({ next_attempt_at: '2027-03-01T09:00:35.000Z' });
    },
  );
});
