import type { Socket } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import type { RelayOptions } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, type Play, rawResponse, startActor } from '../support/actor.ts';
import { type Running, start, subscribe } from '../support/running-relay.ts';

const firstRetryMs = 5_000;
const many = 'campaign.paid';
const one = 'user.registered';

interface Options extends RelayOptions {
  readonly answers?: number[];
  readonly isOrdered?: boolean;
  readonly maxConcurrency?: number;
  /** Bytes of each event. */
  readonly size?: number;
}

/** Events that wait for a sender: many for one subscription, then one for another. */
async function withBacklog(count: number, options: Options = {}) {
  const { answers, isOrdered = false, size = 0, maxConcurrency, ...more } = options;
  const receiver = await startReceiver(answers);
  receiver.answerHeaders['retry-after'] = '3600';
  const running = await start({ role: 'ingress' });
  const types = [...Array<string>(count).fill(many), one];
  for (const type of [many, one]) {
    const more = { events: [type], max_concurrency: maxConcurrency };
    await subscribe(running, `${receiver.url}/${type}`, more);
  }
  const data = 'x'.repeat(size);
  const batches = isOrdered ? types.map((_, id) => [id]) : [[...types.keys()]];
  for (const ids of batches) {
    await Promise.all(ids.map((id) => running.deliver({ id: String(id), type: types[id], data })));
    // Only events of different milliseconds have an order.
    await running.relay.clock.advance(1);
  }
  const { relay } = await start({
    databaseUrl: running.databaseUrl,
    startAt: running.relay.clock.now(),
    ...more,
  });
  await relay.clock.advance(0);
  return receiver.arrivals.map(({ body }): { id: string; type: string } => JSON.parse(body));
}

describe('a backlog', () => {
  it('is delivered whole, each event once', async () => {
    const arrived = await withBacklog(120);
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(121);
    expect(arrived).toHaveLength(121);
  });

  it('is delivered in the order of arrival while no batch is full', async () => {
    const arrived = (await withBacklog(20, { isOrdered: true })).filter(
      ({ type }) => type === many,
    );
    expect(arrived.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => String(id)));
  });

  // The first response says to wait, so only those sent before it arrive.
  it.each<Options & { width: number }>([
    { width: 4 },
    { maxConcurrency: 2, width: 2 },
    { maxConcurrency: 16, width: 16 },
    // A reading has thirteen of these.
    { size: 10_000, width: 4 },
  ])(
    'with a limit of $maxConcurrency is delivered $width at a time, until the subscriber says to wait',
    async ({ width, ...more }) => {
      const arrived = await withBacklog(120, { answers: Array(40).fill(429), ...more });
      expect(arrived.filter(({ type }) => type === many)).toHaveLength(width);
    },
  );
});

const events = 100;

/** Time stands still, so that no retry is due yet. */
async function withEvents(url: string, options: RelayOptions = {}): Promise<Running> {
  const running = await start(options);
  await subscribe(running, url);
  for (let id = 0; id < events; id += 1) await running.deliver({ id: String(id), type: many });
  return running;
}

async function countOf(running: Running, state: 'delivered'): Promise<number> {
  const { data } = await running.relay.operate('deliveries.list', { state, limit: 200 });
  return data.length;
}

describe('a subscriber', () => {
  it('that fails half of its attempts, often four in a row, gets the rest without a pause', async () => {
    const pattern = [500, 500, 500, 500, 200, 200, 200, 200];
    const receiver = await startReceiver(Array(events).fill(pattern).flat());
    const running = await withEvents(receiver.url);
    await running.relay.clock.advance(1);
    expect(receiver.arrivals.length).toBe(events);
    expect(await countOf(running, 'delivered')).toBeGreaterThanOrEqual(events * 0.48);
    await running.relay.clock.advance(firstRetryMs);
    expect(receiver.arrivals.length).toBeGreaterThanOrEqual(events * 1.48);
    expect(await countOf(running, 'delivered')).toBeGreaterThanOrEqual(events * 0.7);
  });

  it.each<[string, Play, number]>([
    ['responds with errors', rawResponse(500), 10],
    ['does not respond', (socket) => socket.destroy(), 3],
  ])('that only %s gets one attempt after each pause', async (_, answer, first) => {
    const actor = await startActor(Array(1_000).fill(answer));
    const running = await withEvents(actor.url);
    await running.relay.clock.advance(1);
    expect(actor.requests.length).toBe(first);
    // Pauses of 5, 10, 20, 40 and 60 s.
    await running.relay.clock.advance(140_000);
    expect(actor.requests.length).toBe(first + 5);
    actor.answers.length = 0;
    await running.relay.clock.advance(3_600_000);
    expect(await countOf(running, 'delivered')).toBe(events);
  });
});

it('processes on one database store on one and deliver from others, each event once', async () => {
  const receivers = await Promise.all([1, 2, 3].map(() => startReceiver()));
  const ingress = await start({ role: 'ingress' });
  const sender = await start({ role: 'sender', databaseUrl: ingress.databaseUrl });
  const second = await start({ databaseUrl: ingress.databaseUrl });
  for (const { url } of receivers) await subscribe(ingress, url);
  const ids = Array.from({ length: 40 }, (_, id) => String(id));
  await Promise.all(ids.map((id) => ingress.deliver({ id, type: many })));
  await Promise.all([sender, second].map(({ relay }) => relay.clock.advance(1)));
  // One of them ran into leases that the other held.
  await sender.relay.clock.advance(1);
  await second.relay.clock.advance(1);
  expect((await sender.deliver({ id: 'x', type: many })).status).toBe(404);
  for (const { arrivals } of receivers) {
    expect(new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
    expect(arrivals).toHaveLength(40);
  }
});

describe('one of many subscribers', () => {
  it('gets its event while 300 others do not respond', async () => {
    const sockets: Socket[] = [];
    const silent = await startActor(Array(300).fill((socket: Socket) => sockets.push(socket)));
    const prompt = await startActor();
    const running = await start({ deliveryTimeoutMs: 60_000 });
    for (let nth = 0; nth < 300; nth += 1) await subscribe(running, `${silent.url}/${nth}`);
    await subscribe(running, prompt.url);
    await running.deliver({ id: '1', type: many });
    const advanced = running.relay.clock.advance(0);
    await eventually(() => sockets.length === 300, 'all have a request');
    await running.deliver({ id: '2', type: many });
    running.relay.clock.advance(0);
    await eventually(() => prompt.requests.length === 2, 'the prompt one got both events');
    for (const socket of sockets) socket.write(accepted);
    await advanced;
  });

  it('gets its turn after a second of another one if there is one place', async () => {
    const { now } = performance;
    let aheadMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + aheadMs);
    const running = await start({ places: 1 });
    let before = 0;
    const waiting = await startActor([
      (socket) => {
        before = busy.requests.length;
        socket.write(accepted);
      },
    ]);
    const busy = await startActor([
      async (socket) => {
        await running.deliver({ id: 'other', type: one });
        aheadMs = 1_000;
        socket.write(accepted);
      },
    ]);
    await subscribe(running, busy.url);
    await subscribe(running, waiting.url, { events: [one] });
    for (let id = 0; id < 20; id += 1) await running.deliver({ id, type: many });
    await running.relay.clock.advance(0);
    await running.relay.clock.advance(0);
    expect([before, busy.requests.length, waiting.requests.length]).toEqual([1, 20, 1]);
  });
});
