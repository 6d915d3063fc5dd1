import type { Socket } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { type Play, rawResponse, startActor } from '../support/actor.ts';
import { type Running, start } from '../support/running-relay.ts';
import { deliveriesOf, deliverTo, hour, schedule, secondsOf } from './scene.ts';

const day = 24 * hour;
/** The first attempt, and a retry after each interval. */
const attempts = schedule.length;

const plays: Record<string, Play> = {
  500: rawResponse(500),
  429: rawResponse(429, { 'retry-after': '60' }),
  reset: (socket) => socket.resetAndDestroy(),
};
/**
 * Times of the attempts if the first two retries wait a minute each. The other intervals are longer
 * anyway.
 */
const [, , second = 0] = schedule;
const later = [0, 60, ...schedule.slice(2).map((seconds) => seconds - second + 120)];

describe('a subscriber that never accepts', () => {
  it('has a dead delivery after about three days, and a redelivery delivers it', async () => {
    const running = await start();
    const subscriptions = new Map<string, string>();
    for (const [name, play] of Object.entries(plays)) {
      const { url } = await startActor(Array(attempts).fill(play));
      subscriptions.set(name, await deliverTo(running, name, url));
    }
    await running.relay.clock.advance(4 * day);
    const dead = await deliveriesOf(running);
    expect(subscriptions.size).toBe(Object.keys(plays).length);
    for (const [name, id] of subscriptions) {
      const delivery = dead.get(name);
      const expected = { state: 'dead', reason: 'retries_exhausted', next_attempt_at: null };
      expect([name, delivery]).toMatchObject([name, expected]);
      expect([name, secondsOf(delivery)]).toEqual([name, name === '429' ? later : schedule]);
      const { body } = await running.call('GET', `/subscriptions/${id}`);
      expect([name, body.state]).toEqual([name, 'active']);
    }
    for (const id of subscriptions.values()) {
      const states = ['dead'];
      const response = await running.call('POST', `/subscriptions/${id}/redeliver`, { states });
      expect(response).toMatchObject({ status: 202, body: { deliveries: 1 } });
    }
    await running.relay.clock.advance(0);
    for (const [name, delivery] of await deliveriesOf(running)) {
      expect([name, delivery.state, delivery.reason]).toEqual([name, 'delivered', null]);
      expect(secondsOf(delivery).slice(attempts)).toEqual([(4 * day) / 1000]);
    }
  });

  it('gets the whole schedule again when a redelivery fails', async () => {
    const running = await start();
    const id = await deliverTo(running, 'refused', `http://127.0.0.1:${await freePort()}/`);
    await running.relay.clock.advance(4 * day);
    const { body } = await running.call('GET', '/deliveries?state=dead');
    const deliveries = [body.data[0].id];
    await running.call('POST', `/subscriptions/${id}/redeliver`, { deliveries });
    // It has now failed for five days, which ends the subscription.
    await running.relay.clock.advance(day - 1);
    const pending = (await deliveriesOf(running)).get('refused');
    // It ends the pause. Later waits are longer than one.
    const again = schedule.map((seconds) => seconds + (4 * day) / 1000);
    expect(pending?.state).toBe('pending');
    expect(secondsOf(pending)).toEqual([...schedule, ...again.slice(0, 8)]);
  });

  it('and asks for a day each time is switched off after five', async () => {
    const running = await start();
    const { url } = await startActor(Array(20).fill(rawResponse(503, { 'retry-after': '86400' })));
    const id = await deliverTo(running, 'busy', url);
    await running.relay.clock.advance(9 * day);
    const delivery = (await deliveriesOf(running)).get('busy');
    expect(secondsOf(delivery)).toEqual([0, 1, 2, 3, 4, 5].map((days) => (days * day) / 1000));
    expect(delivery).toMatchObject({ state: 'pending' });
    const { body } = await running.call('GET', `/subscriptions/${id}`);
    expect(body).toMatchObject({ state: 'off', off_reason: 'failing' });
  });

  it('gets retries up to a tenth later than scheduled, at random', async () => {
    const running = await start({ random: () => 0.5 });
    await deliverTo(running, 'refused', `http://127.0.0.1:${await freePort()}/`);
    await running.relay.clock.advance(4 * day);
    const delivery = (await deliveriesOf(running)).get('refused');
    expect(secondsOf(delivery)).toEqual(
      schedule.map((seconds) => Math.round(seconds * 1_050) / 1_000),
    );
  });
});

const deliveryTimeoutMs = 300;
/** Shorter than the limit, so that data keeps arriving. */
const pauseMs = 50;

const nothing = () => undefined;
const piecewise = (piece: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(piece), pauseMs);
  socket.on('close', () => clearInterval(timer));
};
const then = (text: string, next: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(text);
  next(socket);
};

/** Data that never becomes a response. */
const silences: Record<string, Play> = {
  'no answer': nothing,
  'half of a status line': 'HTTP/1.1 20',
  'half of the headers': 'HTTP/1.1 200 OK\r\nx: y\r\n',
  'a header line now and then': then('HTTP/1.1 200 OK\r\n', piecewise('x: y\r\n')),
  'a letter now and then': then('HTTP/1.1 200 O', piecewise('K')),
  'a 103 now and then': piecewise('HTTP/1.1 103 Early Hints\r\n\r\n'),
};

const unanswered = {
  state: 'pending',
  attempts: Array(4).fill({
    status: null,
    error: 'no response within 300 ms',
    duration_ms: expect.any(Number),
    at: expect.any(String),
  }),
};

async function expectUnanswered(running: Running, names: readonly string[]): Promise<void> {
  await running.relay.clock.advance(hour / 4);
  const found = await deliveriesOf(running);
  for (const name of names) {
    expect([name, found.get(name)]).toEqual([name, expect.objectContaining(unanswered)]);
    expect(secondsOf(found.get(name))).toEqual(schedule.slice(0, 4));
  }
}

describe('a subscriber that does not respond in time', () => {
  it('gets a retry, whatever it sends instead', async () => {
    const running = await start({ deliveryTimeoutMs });
    for (const [name, play] of Object.entries(silences)) {
      const { url } = await startActor(Array(4).fill(play));
      await deliverTo(running, name, url);
    }
    await expectUnanswered(running, Object.keys(silences));
  });

  it('because it does not accept the connection, gets a retry', async () => {
    const { port, url } = await startActor([], { onConnect: Array(10).fill(nothing) });
    const running = await start({
      deliveryTimeoutMs,
      allowTargets: ['127.0.0.1', 'silent.example'],
      resolve: () => undefined,
    });
    await deliverTo(running, 'http', url);
    await deliverTo(running, 'TLS', `https://127.0.0.1:${port}/hook`);
    await deliverTo(running, 'DNS', 'http://silent.example/hook');
    await expectUnanswered(running, ['http', 'TLS', 'DNS']);
  });

  it('has 15 seconds, after which the delivery is cut off', async () => {
    const { timeout } = AbortSignal;
    const { setTimeout: wait } = globalThis;
    // However the limit is set, it has passed at once.
    const limited = (ms?: number) => (ms === 15_000 ? 1 : ms);
    jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout.call(AbortSignal, limited(ms) ?? 0));
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms?: number) => wait(run, limited(ms))) as never);
    const running = await start();
    const { url } = await startActor([nothing]);
    await deliverTo(running, 'late', url);
    await running.relay.clock.advance(0);
    const late = (await deliveriesOf(running)).get('late');
    expect(late?.attempts).toMatchObject([{ error: 'no response within 15000 ms' }]);
  });
});
