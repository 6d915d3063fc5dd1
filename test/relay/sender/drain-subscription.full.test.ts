import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const many = 'campaign.paid';
const one = 'user.registered';

interface Settings {
  readonly answers?: number[];
  readonly concurrentSubscriptions?: number;
}

async function withBacklog(count: number, { answers = [], ...settings }: Settings = {}) {
  const receiver = await startReceiver(answers);
  const running = await start({ startAt: Date.now(), concurrentSubscriptions: 1, role: 'ingress' });
  await running.call('PUT', '/subscriptions', { target_url: `${receiver.url}/1`, events: [many] });
  await running.call('PUT', '/subscriptions', { target_url: `${receiver.url}/2`, events: [one] });
  await onDatabase(running.databaseUrl, async (client) => {
    await storeEvents(client, { count, type: many, state: 'pending' });
    await storeEvents(client, { count: 1, type: one, state: 'pending' });
  });
  const { relay } = await start({
    ...running,
    startAt: Date.now() + 1_000,
    concurrentSubscriptions: 1,
    ...settings,
  });
  return { receiver, running, relay };
}

const typeOf = ({ body }: { body: string }): string => JSON.parse(body).type;
const ids = ({ body }: { body: string }): string => JSON.parse(body).id;

describe('a lease', () => {
  it('delivers a whole backlog, and gives up its place after a batch', async () => {
    const { receiver, relay } = await withBacklog(120);
    await relay.clock.advance(0);
    const types = receiver.arrivals.map(({ body }) => JSON.parse(body).type);
    expect(types).toHaveLength(121);
    expect(types.indexOf(one)).toBeLessThanOrEqual(50);
    expect(new Set(receiver.arrivals.map(ids)).size).toBe(121);
  });

  it('delivers in the order of arrival while no batch is full', async () => {
    const { receiver, relay } = await withBacklog(49);
    await relay.clock.advance(0);
    const paid = receiver.arrivals.map(ids).filter((_, nth) => {
      const { body } = receiver.arrivals[nth] ?? { body: '{}' };
      return JSON.parse(body).type === many;
    });
    expect(paid).toHaveLength(49);
    expect(paid).toEqual(paid.toSorted());
  });

  it('stops in the middle of a backlog if the subscriber asks for it', async () => {
    const { receiver, relay, running } = await withBacklog(120, {
      answers: Array(40).fill(429),
    });
    receiver.answerHeaders['retry-after'] = '3600';
    await relay.clock.advance(0);
    const { body } = await running.call('GET', '/deliveries?state=pending&limit=200');
    expect(
      body.data.filter(({ event_type }: { event_type: string }) => event_type === many),
    ).toHaveLength(120);
    expect(receiver.arrivals.length).toBeLessThanOrEqual(17);
  });

  // The first response says to wait, so only those sent before it arrive.
  it.each([
    { concurrentSubscriptions: 1, width: 16, when: 'alone' },
    { concurrentSubscriptions: 2, width: 4, when: 'beside another lease' },
  ])('delivers $width of a backlog at a time $when', async ({ concurrentSubscriptions, width }) => {
    const { receiver, relay } = await withBacklog(120, {
      answers: Array(40).fill(429),
      concurrentSubscriptions,
    });
    receiver.answerHeaders['retry-after'] = '3600';
    await relay.clock.advance(0);
    expect(receiver.arrivals.map(typeOf).filter((type) => type === many)).toHaveLength(width);
  });
});
