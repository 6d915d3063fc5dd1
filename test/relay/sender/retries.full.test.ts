import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, start, startAt } from '../support/running-relay.ts';
import { schedule } from './scene.ts';

const type = 'campaign.paid';
const hour = 3_600_000;

async function subscribed(target: string, running: Running): Promise<string> {
  const { body } = await running.call('PUT', '/subscriptions', {
    target_url: target,
    events: [type],
  });
  return body.id;
}

async function deliveries(running: Running) {
  const { body } = await running.call('GET', '/deliveries');
  return body.data;
}

const secondsOf = (attempts: { at: string }[]) =>
  attempts.map(({ at }) => (Date.parse(at) - Date.parse(startAt)) / 1000);

describe('a delivery that fails', () => {
  it('is retried over about three days, then dead, and delivered by a replay', async () => {
    const receiver = await startReceiver(Array(schedule.length).fill(500));
    const running = await start();
    const id = await subscribed(receiver.url, running);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(4 * 24 * hour);
    const [dead] = await deliveries(running);
    expect(dead).toMatchObject({
      state: 'dead',
      reason: 'retries_exhausted',
      next_attempt_at: null,
    });
    expect(secondsOf(dead.attempts)).toEqual(schedule);
    expect(dead.attempts[0]).toMatchObject({ status: 500, error: 'responded with status 500' });
    expect(receiver.arrivals.map(({ headers }) => headers['x-relay-attempt'])).toEqual(
      schedule.map((_, index) => String(index + 1)),
    );
    const replayed = await running.call('POST', `/subscriptions/${id}/replay`, { state: 'dead' });
    expect(replayed).toMatchObject({ status: 202, body: { replayed: 1 } });
    await running.relay.clock.advance(0);
    const [delivered] = await deliveries(running);
    expect(delivered).toMatchObject({ state: 'delivered', reason: null });
    expect(delivered.attempts).toHaveLength(schedule.length + 1);
  });

  const retried: [answer: number, header: Record<string, string>, seconds: number][] = [
    [302, { location: 'http://127.0.0.1:1/' }, 5],
    [404, {}, 5],
    [429, {}, 5],
    [429, { 'retry-after': '120' }, 120],
    [429, { 'retry-after': '2' }, 5],
    [503, { 'retry-after': new Date(Date.parse(startAt) + 90_000).toUTCString() }, 90],
    [503, { 'retry-after': '999999999' }, 86_400],
    [429, { 'retry-after': 'soon' }, 5],
    [429, { 'retry-after': '-3' }, 5],
  ];

  it.each(retried)('with %s %j is retried after %s s', async (answer, headers, seconds) => {
    const receiver = await startReceiver([answer]);
    Object.assign(receiver.answerHeaders, headers);
    const running = await start();
    await subscribed(receiver.url, running);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(2 * 24 * hour);
    const [delivery] = await deliveries(running);
    expect(delivery.state).toBe('delivered');
    expect(secondsOf(delivery.attempts)).toEqual([0, seconds]);
  });

  it('with 410 switches the subscription off, and PUT switches it on again', async () => {
    const receiver = await startReceiver([410]);
    const running = await start();
    const id = await subscribed(receiver.url, running);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(hour);
    const off = await running.call('GET', `/subscriptions/${id}`);
    expect(off.body).toMatchObject({ state: 'off', off_reason: 'gone' });
    expect(await deliveries(running)).toMatchObject([{ state: 'dead', reason: 'gone' }]);
    await running.deliver({ id: '2', type });
    await running.relay.clock.advance(hour);
    expect(receiver.arrivals).toHaveLength(1);
    expect(await subscribed(receiver.url, running)).toBe(id);
    await running.deliver({ id: '3', type });
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(2);
  });

  it('for five days switches the subscription off, and deletes its target', async () => {
    const receiver = await startReceiver(Array(100).fill(500));
    const running = await start();
    const id = await subscribed(receiver.url, running);
    for (let day = 0; day <= 5; day += 1) {
      await running.deliver({ id: String(day), type });
      await running.relay.clock.advance(24 * hour);
    }
    const off = await running.call('GET', `/subscriptions/${id}`);
    expect(off.body).toMatchObject({ state: 'off', off_reason: 'failing' });
    expect(receiver.arrivals.at(-1)?.body).toBe('');
    const states = (await deliveries(running)).map(({ state }: { state: string }) => state);
    expect(new Set(states)).toEqual(new Set(['dead']));
  });

  it('because the subscriber hangs or resets names the cause, and delays no other', async () => {
    const hanging = await startReceiver(['hang']);
    const healthy = await startReceiver();
    const running = await start({ deliveryTimeoutMs: 300 });
    await subscribed(hanging.url, running);
    await subscribed('http://127.0.0.1:1/closed', running);
    await subscribed(healthy.url, running);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(0);
    expect(healthy.arrivals).toHaveLength(1);
    const errors = (await deliveries(running)).flatMap(
      ({ attempts }: { attempts: { error: string | null }[] }) =>
        attempts.map(({ error }) => error),
    );
    expect(errors).toEqual([
      null,
      'connect ECONNREFUSED 127.0.0.1:1 (ECONNREFUSED)',
      'no response within 300 ms',
    ]);
    await running.relay.clock.advance(5_000);
    expect(hanging.arrivals).toHaveLength(2);
  });
});
