import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';
const minute = 60_000;

interface Subscribed {
  readonly ingress: Running;
  readonly id: string;
  readonly targetUrl: string;
}

/** A subscription for which events wait, beside one without limits. */
async function withBacklog(count: number, limits: object): Promise<Subscribed> {
  const receiver = await startReceiver();
  const ingress = await start({ role: 'ingress', startAt: Date.now() });
  const targetUrl = `${receiver.url}/limited`;
  const put = (target_url: string, more = {}) =>
    ingress.call('PUT', '/subscriptions', { target_url, events: [type], ...more });
  const { body } = await put(targetUrl, limits);
  expect(body).toMatchObject(limits);
  await put(receiver.url);
  await onDatabase(ingress.databaseUrl, (client) =>
    storeEvents(client, { count, type, state: 'waiting', secondsBetween: 0.001 }),
  );
  return { ingress, id: body.id, targetUrl };
}

const sender = (databaseUrl: string, startAt: number) =>
  start({ databaseUrl, role: 'sender', startAt });

/** When attempts were made for the subscriptions, in milliseconds since 1970. */
async function attemptsOf({ ingress: { databaseUrl } }: Subscribed) {
  const { rows } = await onDatabase(databaseUrl, (client) =>
    client.query<{ at: Date; number: number }>(
      'SELECT at, subscription_number AS number FROM attempt ORDER BY at',
    ),
  );
  const of = (wanted: number) =>
    rows.filter(({ number }) => number === wanted).map(({ at }) => at.getTime());
  return { limited: of(1), free: of(2) };
}

function mostInAMinute(times: readonly number[]): number {
  const counts = times.map((from) => times.filter((at) => at >= from && at < from + minute).length);
  return Math.max(...counts);
}

describe('a limit of 30 attempts a minute', () => {
  it('holds for 500 events, over restarts and with two senders, and delays no other', async () => {
    const scene = await withBacklog(500, { max_per_minute: 30 });
    const { databaseUrl } = scene.ingress;
    const startedAt = scene.ingress.relay.clock.now();
    const first = await sender(databaseUrl, startedAt);
    await first.relay.clock.advance(0);
    expect((await attemptsOf(scene)).free).toHaveLength(500);
    await first.relay.clock.advance(2 * minute);
    await first.relay.close();
    const both = [
      await sender(databaseUrl, first.relay.clock.now()),
      await sender(databaseUrl, first.relay.clock.now()),
    ] as const;
    for (let seconds = 0; seconds < 60; seconds += 1)
      for (const { relay } of both) await relay.clock.advance(1_000);
    await both[0].relay.close();
    await both[1].relay.clock.advance(20 * minute);
    const { limited } = await attemptsOf(scene);
    expect(limited).toHaveLength(500);
    expect(mostInAMinute(limited)).toBeLessThanOrEqual(30);
    const tookMs = (limited.at(-1) ?? 0) - startedAt;
    expect(tookMs).toBeLessThan(17.5 * minute);
  });

  it('holds although it is subscribed, switched on, and retried again and again', async () => {
    const scene = await withBacklog(100, { max_per_minute: 30 });
    const { ingress, id, targetUrl } = scene;
    const { relay } = await sender(ingress.databaseUrl, ingress.relay.clock.now());
    for (let turn = 0; turn < 20; turn += 1) {
      await ingress.call('PUT', '/subscriptions', { target_url: targetUrl, events: [type] });
      await ingress.call('PATCH', `/subscriptions/${id}`, { state: 'active' });
      await ingress.call('POST', `/subscriptions/${id}/retry`);
      await relay.clock.advance(100);
    }
    expect((await attemptsOf(scene)).limited).toHaveLength(1);
  });

  it('waits a minute for a process that died with it', async () => {
    const scene = await withBacklog(10, { max_per_minute: 30 });
    const { databaseUrl, relay } = scene.ingress;
    const died = (secondsAgo: number) =>
      onDatabase(databaseUrl, (client) =>
        client.query(`UPDATE lease SET owner = uuidv7(),
          leased_until = clock_timestamp() - interval '${secondsAgo} s'`),
      );
    await died(50);
    const alive = await sender(databaseUrl, relay.clock.now());
    await alive.relay.clock.advance(0);
    expect(await attemptsOf(scene)).toMatchObject({ limited: [], free: { length: 10 } });
    await died(70);
    await alive.relay.clock.advance(0);
    expect((await attemptsOf(scene)).limited).toHaveLength(1);
  });
});

describe('limits', () => {
  it('of hundreds a minute are kept in turns of several', async () => {
    const scene = await withBacklog(500, { max_per_minute: 400 });
    const { databaseUrl, relay } = scene.ingress;
    const alive = await sender(databaseUrl, relay.clock.now());
    await alive.relay.clock.advance(minute);
    const { limited } = await attemptsOf(scene);
    expect(limited.length).toBeGreaterThan(380);
    expect(mostInAMinute(limited)).toBeLessThanOrEqual(400);
  });

  it('hold soon after they change, for a backlog that is being delivered', async () => {
    const scene = await withBacklog(2_000, {});
    const { databaseUrl, relay, call } = scene.ingress;
    const alive = await sender(databaseUrl, relay.clock.now());
    const delivering = alive.relay.clock.advance(0);
    const changed = await call('PATCH', `/subscriptions/${scene.id}`, { max_per_minute: 1 });
    expect(changed.body).toMatchObject({ max_concurrency: 4, max_per_minute: 1 });
    await delivering;
    expect((await attemptsOf(scene)).limited.length).toBeLessThan(2_000);
    await call('PATCH', `/subscriptions/${scene.id}`, { max_per_minute: null });
    await alive.relay.clock.advance(2 * minute);
    expect((await attemptsOf(scene)).limited).toHaveLength(2_000);
  });

  it('stay when it is published again, unless that names others', async () => {
    const limits = { max_concurrency: 2, max_per_minute: 7 };
    const { ingress, id, targetUrl } = await withBacklog(1, limits);
    await ingress.call('DELETE', `/subscriptions/${id}`);
    const put = { target_url: targetUrl, events: [type] };
    const { body } = await ingress.call('PUT', '/subscriptions', { ...put, max_concurrency: 3 });
    expect(body).toMatchObject({ max_concurrency: 3, max_per_minute: 7 });
    const again = await ingress.call('PUT', '/subscriptions', { ...put, max_per_minute: null });
    expect(again.body).toMatchObject({ max_concurrency: 3, max_per_minute: null });
  });

  it.each([
    [{ max_concurrency: 17 }, 'max_concurrency: use a whole number from 1 to 16.'],
    [
      { max_per_minute: 0 },
      'max_per_minute: use a whole number from 1 to 6000, or null for no limit.',
    ],
  ])('%j are refused', async (limits, detail) => {
    const { call } = await start();
    const body = { target_url: 'http://127.0.0.1:9/', events: [type], ...limits };
    expect((await call('PUT', '/subscriptions', body)).body).toMatchObject({ detail });
  });
});
