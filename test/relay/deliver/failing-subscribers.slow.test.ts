import { describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { type Play, rawResponse, startActor } from '../support/actor.ts';
import { start } from '../support/running-relay.ts';
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

const nothing = () => undefined;

describe('a subscriber that does not respond in time', () => {
  it('gets a retry, also if it does not even accept the connection', async () => {
    const silent = await startActor(Array(4).fill(nothing));
    const { port, url } = await startActor([], { onConnect: Array(10).fill(nothing) });
    const running = await start({
      deliveryTimeoutMs: 300,
      allowTargets: ['127.0.0.1', 'silent.example'],
      resolve: () => undefined,
    });
    const targets = {
      response: silent.url,
      http: url,
      TLS: `https://127.0.0.1:${port}/hook`,
      DNS: 'http://silent.example/hook',
    };
    for (const [name, target] of Object.entries(targets)) await deliverTo(running, name, target);
    await running.relay.clock.advance(hour / 4);
    const found = await deliveriesOf(running);
    for (const name of Object.keys(targets)) {
      const attempts = Array(4).fill({ status: null, error: 'no response within 300 ms' });
      expect([name, found.get(name)]).toMatchObject([name, { state: 'pending', attempts }]);
      expect(secondsOf(found.get(name))).toEqual(schedule.slice(0, 4));
    }
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
