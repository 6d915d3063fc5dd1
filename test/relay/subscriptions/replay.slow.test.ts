import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { openPage } from '../operator/support.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';

/** Seven events, one a second from 09:00:01 on, for two subscriptions, of which one ignored two. */
async function delivered(): Promise<{ running: Running; ids: string[]; arrived: () => string[] }> {
  const receivers = await Promise.all([startReceiver(), startReceiver()]);
  const running = await start();
  const ids: string[] = [];
  for (const { url } of receivers) {
    const { body } = await running.call('PUT', '/subscriptions', {
      target_url: url,
      events: [type],
    });
    ids.push(body.id);
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

describe('a replay', () => {
  it('sends all, a range, one event, one delivery, and those in a state', async () => {
    const { running, ids, arrived } = await delivered();
    const [first, second] = ids;
    const { data } = (await running.call('GET', '/deliveries?limit=4')).body;
    // Newest first: events 7 and 6, each for the second subscription and then the first.
    const [, delivery, { event_id: event }] = data;
    const rows: [path: string, body: object, first: string, second: string][] = [
      [`/subscriptions/${first}/replay`, { state: 'ignored' }, '1 2', ''],
      [`/subscriptions/${first}/replay`, { state: 'ignored' }, '', ''],
      [`/subscriptions/${first}/replay`, {}, '1 2 3 4 5 6 7', ''],
      [`/subscriptions/${second}/replay`, { from: '2027-03-01T09:00:06Z' }, '', '6 7'],
      [`/subscriptions/${second}/replay`, { to: '2027-03-01T09:00:03Z' }, '', '1 2'],
      [
        `/subscriptions/${second}/replay`,
        { from: '2027-03-01T10:00:03+01:00', to: '2027-03-01T09:00:05Z', state: 'delivered' },
        '',
        '3 4',
      ],
      [`/events/${event}/replay`, {}, '6', '6'],
      [`/events/${event}/replay`, { subscription_id: second }, '', '6'],
      [`/deliveries/${delivery.id}/replay`, {}, '7', ''],
    ];
    for (const [path, body, ...expected] of rows) {
      const answer = await running.call('POST', path, body);
      const replayed = expected.join(' ').split(' ').filter(Boolean).length;
      expect([path, answer.body]).toEqual([path, { replayed, has_more: false }]);
      await running.relay.clock.advance(0);
      expect([path, body, ...arrived()]).toEqual([path, body, ...expected]);
    }
  });

  it('is refused after the subscription was deleted', async () => {
    const { running, ids } = await delivered();
    const [delivery] = (await running.call('GET', `/deliveries?subscription_id=${ids[0]}`)).body
      .data;
    await running.call('DELETE', `/subscriptions/${ids[0]}`);
    expect(await running.call('POST', `/deliveries/${delivery.id}/replay`)).toMatchObject({
      status: 409,
      body: {
        detail: 'The subscription was deleted, so its target gets no more deliveries.',
      },
    });
    expect((await running.call('POST', `/subscriptions/${ids[0]}/replay`)).status).toBe(404);
    const all = await running.call('POST', `/events/${delivery.event_id}/replay`);
    expect(all.body).toEqual({ replayed: 1, has_more: false });
  });
});

it('a replay of more than are counted says so, and is carried out by the next process', async () => {
  const receiver = await startReceiver();
  const { relay, databaseUrl, call, visitor } = await openPage({
    role: 'ingress',
    startAt: Date.now(),
  });
  const put = { target_url: receiver.url, events: [type] };
  const subscription = (await call('PUT', '/subscriptions', put)).body.id;
  await onDatabase(databaseUrl, (client) =>
    storeEvents(client, { count: 2_500, type, state: 'delivered' }),
  );
  expect(await visitor.submit('replay-missing', { subscription, hours: '24' })).toBe(
    'The relay looks for them in the background.',
  );
  expect(await visitor.submit('replay-subscription', { subscription, which: 'all' })).toBe(
    'Replaying 2000 deliveries, then the rest in the background.',
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
  const put = { target_url: receiver.url, events: [type] };
  const { body } = await running.call('PUT', '/subscriptions', put);
  for (const id of ['1', '2', '3']) {
    await running.deliver({ id, type, data: {} });
    await running.relay.clock.advance(0);
  }
  const pending = async () => (await running.call('GET', '/deliveries?state=pending')).body.data;
  return { ...running, receiver, id: body.id as string, pending };
}

describe('pending deliveries', () => {
  it('are retried now when they are named, and others wait', async () => {
    const { call, relay, pending } = await prepared();
    const [third, second] = await pending();
    const { status, body } = await call('POST', '/deliveries/retry', {
      ids: [third.id, second.id, third.id],
    });
    expect([status, body]).toEqual([202, { retried: 2, has_more: false }]);
    await relay.clock.advance(0);
    expect(await pending()).toHaveLength(1);
    const again = await call('POST', '/deliveries/retry', { ids: [third.id, second.id] });
    expect(again.body).toEqual({ retried: 0, has_more: false });
  });

  it('of another source are not touched', async () => {
    const { call, relay, pending } = await prepared();
    await relay.sources.add('other', 'another-secret');
    const { token } = await relay.tokens.create('other', 'x');
    const ids = (await pending()).map(({ id }: { id: string }) => id);
    const { body } = await call('POST', '/deliveries/retry', { ids }, token);
    expect(body).toEqual({ retried: 0, has_more: false });
    await relay.clock.advance(0);
    expect(await pending()).toHaveLength(3);
  });

  it.each(['subscription', 'delivery'])(
    'are attempted ten times by hand, for the %s, and keep their place in the schedule',
    async (what) => {
      const { call, relay, id, receiver, pending } = await prepared();
      receiver.answers.push(...Array(40).fill(500));
      const [delivery] = await pending();
      const path = what === 'delivery' ? `/deliveries/${delivery.id}` : `/subscriptions/${id}`;
      const retried = what === 'delivery' ? 1 : 3;
      for (let count = 0; count < 10; count += 1) {
        const { status, body } = await call('POST', `${path}/retry`);
        expect([status, body]).toEqual([202, { retried, has_more: false }]);
        await relay.clock.advance(0);
      }
      expect(receiver.arrivals).toHaveLength(3 + 10 * retried);
      const left = (await pending()).map((one: { next_attempt_at: string }) => one.next_attempt_at);
      expect(left).toEqual(Array(3).fill('2027-03-01T09:00:05.000Z'));
      await relay.clock.advance(5_000);
      const [next] = await pending();
      expect(next).toMatchObject({ next_attempt_at: '2027-03-01T09:00:35.000Z' });
    },
  );
});
