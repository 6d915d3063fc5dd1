import type { Socket } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { accepted, type Play, startActor } from '../support/actor.ts';
import { type Running, start } from '../support/running-relay.ts';
import { deliveriesOf, deliverTo, hour, schedule, secondsOf } from './scene.ts';

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
const plays: Record<string, Play> = {
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
    for (const [name, play] of Object.entries(plays)) {
      const { url } = await startActor(Array(4).fill(play));
      await deliverTo(running, name, url);
    }
    await expectUnanswered(running, Object.keys(plays));
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
    const isLimit = (ms?: number) => ms === 15_000;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, isLimit(ms) ? 1 : ms);
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms?: number) =>
        wait(run, isLimit(ms) ? 1 : ms)) as typeof setTimeout);
    try {
      const running = await start();
      const { url } = await startActor([nothing]);
      await deliverTo(running, 'late', url);
      await running.relay.clock.advance(0);
      const late = (await deliveriesOf(running)).get('late');
      expect(late?.attempts).toMatchObject([{ error: 'no response within 15000 ms' }]);
    } finally {
      AbortSignal.timeout = timeout;
      jest.restoreAllMocks();
    }
  });
});

it('a subscriber is delivered to while more others than there are places do not respond', async () => {
  const sockets: Socket[] = [];
  const running = await start({ concurrentSubscriptions: 2, deliveryTimeoutMs: 60_000 });
  for (const name of ['a', 'b', 'c', 'd']) {
    await deliverTo(running, name, (await startActor([(socket) => sockets.push(socket)])).url);
  }
  const prompt = await startActor();
  await deliverTo(running, 'prompt', prompt.url);
  const advanced = running.relay.clock.advance(0);
  await eventually(() => prompt.requests.length === 1);
  const found = await deliveriesOf(running);
  expect(['a', 'b', 'c', 'd'].map((name) => found.get(name)?.attempts)).toEqual([[], [], [], []]);
  await eventually(() => sockets.length === 4);
  for (const socket of sockets) socket.write(accepted);
  await advanced;
});
