import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay, type Relay, type RelayOptions } from '@screen-advertising/relay';
import { type Receiver, startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleOf } from '../../support/tier.ts';
import { firstRetryMs } from '../deliver/scene.ts';
import { freshDatabase, onDatabase } from '../support/database.ts';
import { postEvent } from '../support/post-event.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, send, sourceSecret } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const relays = new Set<Relay>();
const processes = new Set<RelayProcess>();
let databaseUrl: string;
let receiver: Receiver;

beforeEach(async () => {
  databaseUrl = await freshDatabase();
  receiver = await startReceiver([500]);
  await prepare();
});

afterEach(async () => {
  await Promise.all([...processes].map((process) => process.stop()));
  await Promise.all([...relays].map((relay) => relay.close()));
  processes.clear();
  relays.clear();
});

/** A relay whose clock is right. */
async function startRight(role: 'ingress' | 'sender'): Promise<{ relay: Relay; url: string }> {
  const options: RelayOptions = { databaseUrl, secretKey, role, allowTargets: ['127.0.0.1'] };
  const relay = await createRelay(options);
  relays.add(relay);
  return { relay, ...(await relay.listen()) };
}

/** A process on a machine whose clock is this far ahead. */
async function startWrong(role: string, seconds: number): Promise<{ url: string }> {
  const shift = `const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()); }
      static now() { return now() + ${seconds * 1000}; }
    };`;
  const process = await RelayProcess.start({
    DATABASE_URL: databaseUrl,
    RELAY_SECRET_KEY: secretKey,
    RELAY_ROLE: role,
    RELAY_ALLOW_TARGETS: '127.0.0.1',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(shift)}`,
  });
  processes.add(process);
  return process;
}

/** Two subscriptions, and events of a subscriber that another process holds: old ones, and a late one. */
async function prepare(): Promise<void> {
  const { relay, url } = await startRight('ingress');
  await relay.sources.add('main', sourceSecret);
  const { token } = await relay.tokens.create('main', 'own');
  for (const type of ['user.registered', 'campaign.paid']) {
    const body = { target_url: `${receiver.url}/${type}`, events: [type] };
    await send(`${url}/api/v1/subscriptions`, 'PUT', { authorization: `Bearer ${token}` }, body);
  }
  const old = { count: 1, type: 'user.registered', state: 'delivered' } as const;
  await onDatabase(databaseUrl, async (client) => {
    await client.query(`UPDATE lease SET leased_until = clock_timestamp() + interval '1 day'
      WHERE subscription_number = 1`);
    await storeEvents(client, { ...old, secondsAgo: 35 * day });
    await storeEvents(client, { ...old, secondsAgo: 20 * day });
    await client.query("UPDATE attempt SET at = at - interval '40 days'");
    await storeEvents(client, { ...old, state: 'pending', secondsAgo: 1_000 });
  });
}

async function startWith(wrong: string, seconds: number) {
  if (wrong === 'all') {
    const { url } = await startWrong('all', seconds);
    return { ingress: url, sender: url };
  }
  const [ingress, sender] =
    wrong === 'ingress'
      ? [await startWrong('ingress', seconds), await startRight('sender')]
      : [await startRight('ingress'), await startWrong('sender', seconds)];
  return { ingress: ingress.url, sender: sender.url };
}

/** By the database's clock. */
async function stored() {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(`
      SELECT extract(epoch FROM clock_timestamp() - event.received_at)::float8 AS age,
        extract(epoch FROM delivery.next_at - attempt.at)::float8 AS "retryAfter"
      FROM event JOIN delivery USING (source_number, position)
      LEFT JOIN attempt USING (source_number, position, subscription_number)
      ORDER BY event.received_at`);
    return rows as { age: number; retryAfter: number | null }[];
  });
}

async function metrics(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const offsets = [-day, -hour, -10 * minute, 10 * minute, hour, day, 40 * day];
const wrongClocks = ['ingress', 'sender', 'all'].flatMap((wrong) =>
  offsets.map((seconds) => [wrong, seconds] as const),
);

describe('with a wrong clock', () => {
  it.each(sampleOf(wrongClocks, 4))(
    'on %s, of %d s, nothing is late, pruned early, or wrong in the metrics',
    async (wrong, seconds) => {
      const { ingress, sender } = await startWith(wrong, seconds);
      expect(await postEvent(ingress, { id: 'new', type: 'campaign.paid' })).toBe(202);
      await eventually(async () => {
        const events = await stored();
        return events.length === 3 && typeof events.at(-1)?.retryAfter === 'number';
      }, 'the new event was attempted, and the oldest one pruned');
      const [kept, late, fresh] = await stored();
      expect(kept?.age).toBeGreaterThan(20 * day);
      expect(late?.age).toBeGreaterThan(1_000);
      expect(fresh?.age).toBeGreaterThanOrEqual(-1);
      expect(fresh?.age).toBeLessThan(2 * minute);
      // Up to a tenth later.
      expect(fresh?.retryAfter).toBeGreaterThan(firstRetryMs / 1_000 - 1);
      expect(fresh?.retryAfter).toBeLessThan(firstRetryMs / 1_000 + 1);
      const metric = await metrics(sender);
      expect(metric('relay_lag_seconds')).toBeGreaterThanOrEqual(999);
      expect(metric('relay_lag_seconds')).toBeLessThan(1_000 + 2 * minute);
      const offset = (await metrics(wrong === 'ingress' ? ingress : sender))(
        'relay_clock_offset_seconds',
      );
      expect(Math.abs(offset - seconds)).toBeLessThan(5);
    },
  );
});
