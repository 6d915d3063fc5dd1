import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../../sandbox/support/receiver.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';
const isDeleted = 'The subscription was deleted, so its target gets no more deliveries.';
const isRevoked =
  'The token of this subscription was revoked, so its target gets no more deliveries. Create another, and subscribe with it.';
const day = 24 * 3_600_000;

type Stop = () => Promise<unknown>;

let shared: Running;
let running: Running;
let receiver: Receiver;
/** Of the token `own`, with one delivery that is pending and one that is dead. */
let id: string;
let delivery: string;
let event: string;
let token: string;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  const made = await ownSource(shared);
  const { token: boss } = await made.relay.tokens.create(made.source, 'boss', ['manage']);
  running = {
    ...made,
    call: (method, path, body, by = boss) => made.call(method, path, body, by),
  };
  receiver = await startReceiver([500, 500]);
  token = (await running.relay.tokens.create(running.source, 'own')).token;
  id = await subscribe(running, receiver.url, { token });
  for (const name of ['1', '2']) {
    await running.deliver({ id: name, type, data: {} });
    await running.relay.clock.advance(0);
  }
  const [newest, oldest] = (await running.call('GET', '/deliveries')).body.data;
  ({ id: delivery, event_id: event } = newest);
  await running.query(
    `UPDATE delivery SET state = 'dead', next_at = NULL, reason = 'retries_exhausted' FROM event
        WHERE event.id = $1 AND delivery.source_number = event.source_number
          AND delivery.position = event.position`,
    [oldest.event_id.replace('evt_', '')],
  );
});

/** Every form of the verbs, and how many deliveries each starts. */
const requests: readonly [name: string, count: number, ask: () => [path: string, body: object]][] =
  [
    ['what is dead', 1, () => [`/subscriptions/${id}/redeliver`, { states: ['dead'] }]],
    ['a delivery', 1, () => [`/subscriptions/${id}/redeliver`, { deliveries: [delivery] }]],
    ['what is missing', 0, () => [`/subscriptions/${id}/redeliver`, { missing: true }]],
    ['what is pending', 1, () => [`/subscriptions/${id}/retry`, {}]],
    ['a pending one', 1, () => [`/subscriptions/${id}/retry`, { deliveries: [delivery] }]],
    ['an event', 1, () => [`/events/${event}/redeliver`, { subscription: id }]],
  ];

async function askAll() {
  const responses = [];
  for (const [name, , ask] of requests) {
    const { status, body } = await running.call('POST', ...ask());
    responses.push([name, status, body.detail ?? body.deliveries]);
  }
  return responses;
}

/** How subscriptions stop, and what each request gets then. */
const stops: readonly (readonly [reason: string, detail: string | undefined, stop: Stop])[] = [
  ['by_hand', undefined, () => running.call('PATCH', `/subscriptions/${id}`, { state: 'off' })],
  [
    'gone',
    undefined,
    async () => {
      receiver.answers.push(410);
      await running.call('POST', `/subscriptions/${id}/retry`);
      await running.relay.clock.advance(0);
    },
  ],
  [
    'key_rotated',
    undefined,
    async () => {
      await running.relay.tokens.rotate(running.source, 'own', { now: true });
      await running.relay.clock.advance(day);
    },
  ],
  ['unsubscribed', isDeleted, () => running.call('DELETE', `/subscriptions/${id}`)],
  ['token_revoked', isRevoked, () => running.relay.tokens.revoke(running.source, 'own')],
];

describe('a subscription that is off', () => {
  it.each(stops)('because of %s accepts every request, unless for good: %s', async (...row) => {
    const [reason, detail, stop] = row;
    await stop();
    const { rows } = await running.query('SELECT off_reason FROM subscription WHERE id = $1', [
      id.slice(4, 36),
    ]);
    expect(rows).toEqual([{ off_reason: reason }]);
    const expected = detail ? [409, detail] : [202, expect.any(Number)];
    expect(await askAll()).toEqual(requests.map(([name]) => [name, ...expected]));
  });

  it('gets everything that was asked for once it is on', async () => {
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'off' });
    const before = receiver.arrivals.length;
    expect(await askAll()).toEqual(requests.map(([name, count]) => [name, 202, count]));
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(before);
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'active' });
    await running.relay.clock.advance(0);
    const { data } = (await running.call('GET', '/deliveries')).body;
    expect(data).toMatchObject(Array(2).fill({ state: 'delivered', replays: 1 }));
  });

  it('has no part when an event goes to all that had it', async () => {
    await subscribe(running, `${receiver.url}/two`, { token });
    await running.deliver({ id: '4', type, data: {} });
    await running.relay.clock.advance(0);
    const [{ event_id: newest }] = (await running.call('GET', '/deliveries')).body.data;
    const ask = async () => (await running.call('POST', `/events/${newest}/redeliver`)).body;
    expect(await ask()).toEqual({ deliveries: 2, has_more: false });
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'off' });
    expect(await ask()).toEqual({ deliveries: 1, has_more: false });
  });
});

describe('the same request', () => {
  const jobs = async () =>
    (
      await running.query(`SELECT kind FROM job JOIN subscription ON subscription.number = subscription_number
          WHERE id = '${id.slice(4, 36)}' ORDER BY kind`)
    ).rows.map(({ kind }) => kind);

  it('adds nothing until it is done, in any form', async () => {
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'off' });
    await askAll();
    const first = await jobs();
    await Promise.all([askAll(), askAll()]);
    // Of an event and of its delivery is the same: the later one replaces the earlier.
    expect([first, await jobs()]).toEqual([['again', 'again', 'retry', 'retry'], first]);
  });

  it('continues to the events since', async () => {
    const ask = () =>
      running.call('POST', `/subscriptions/${id}/redeliver`, {
        states: ['pending', 'delivered', 'ignored', 'dead'],
      });
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'off' });
    receiver.arrivals.length = 0;
    await ask();
    await running.deliver({ id: '5', type, data: {} });
    await ask();
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'active' });
    await running.relay.clock.advance(0);
    const ids = receiver.arrivals.map(({ headers }) => String(headers['webhook-id']).slice(36));
    expect(ids.sort()).toEqual(['', '_r1', '_r1']);
  });
});

it('what another subscription had left goes to this one, and stays there', async () => {
  const target = await startReceiver();
  const other = await subscribe(running, target.url, { token });
  await running.call('DELETE', `/subscriptions/${id}`);
  const ask = async () => {
    const response = await running.call('POST', `/subscriptions/${other}/redeliver`, { of: id });
    await running.relay.clock.advance(0);
    return response.body;
  };
  expect(await ask()).toEqual({ deliveries: 1, has_more: false });
  expect(target.arrivals.map(({ body }) => JSON.parse(body).id)).toEqual(['2']);
  expect(await ask()).toEqual({ deliveries: 0, has_more: false });
});
