import { afterEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleOf } from '../../support/tier.ts';
import { RelayProcess } from '../support/relay-process.ts';
import {
  migratedDatabase,
  onDatabase,
  postEvent,
  secretKey,
  start,
  subscribe,
} from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const firstRetryMs = 5_000;
const [minute, hour, day] = [60, 3_600, 86_400];

const processes = new Set<RelayProcess>();

afterEach(async () => {
  await Promise.all([...processes].map((process) => process.stop()));
  processes.clear();
});

/** A process on a machine whose clock is this far ahead. */
async function startProcess(databaseUrl: string, role: string, seconds: number) {
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
  return process.url;
}

/** No process takes the first subscription, though none serves it: its lease stays locked. */
async function holdFirst(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  closeAfterTest(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT FROM lease WHERE subscription_number = 1 FOR UPDATE');
}

/** Two subscriptions, and events of one that nothing serves: old ones, and a late one. */
async function prepare(): Promise<string> {
  const databaseUrl = await migratedDatabase();
  const ingress = await start({ databaseUrl, role: 'ingress', clock: 'running' });
  const { url } = await startReceiver([500]);
  for (const event of ['user.registered', 'campaign.paid']) {
    await subscribe(ingress, `${url}/${event}`, { events: [event] });
  }
  await ingress.relay.close();
  const old = { count: 1, type: 'user.registered', state: 'delivered' } as const;
  await onDatabase(databaseUrl, async (client) => {
    await storeEvents(client, { ...old, secondsAgo: 35 * day });
    await storeEvents(client, { ...old, secondsAgo: 20 * day });
    await client.query("UPDATE attempt SET at = at - interval '40 days'");
    await storeEvents(client, { ...old, state: 'pending', secondsAgo: 1_000 });
  });
  await holdFirst(databaseUrl);
  return databaseUrl;
}

/** Seconds by the database's clock. */
async function stored(databaseUrl: string): Promise<{ age: number; retryAfter: number | null }[]> {
  const query = `
    SELECT extract(epoch FROM clock_timestamp() - event.received_at)::float8 AS age,
      extract(epoch FROM delivery.next_at - attempt.at)::float8 AS "retryAfter"
    FROM event JOIN delivery USING (source_number, position)
    LEFT JOIN attempt USING (source_number, position, subscription_number)
    ORDER BY event.received_at`;
  return (await onDatabase(databaseUrl, (client) => client.query(query))).rows;
}

async function metrics(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const offsets = [-day, -hour, -10 * minute, 10 * minute, hour, day, 40 * day];
const wrongClocks = ['ingress', 'sender', 'all'].flatMap((wrong) =>
  offsets.map((seconds) => [wrong, seconds] as const),
);

it.each(sampleOf(wrongClocks, 4))(
  'with a clock of %s that is wrong by %d s, nothing is late, pruned early, or wrong in the metrics',
  async (wrong, seconds) => {
    const databaseUrl = await prepare();
    const offsetOf = (role: string) => (wrong === 'all' || wrong === role ? seconds : 0);
    const ingress = await startProcess(databaseUrl, 'ingress', offsetOf('ingress'));
    const sender = await startProcess(databaseUrl, 'sender', offsetOf('sender'));
    const event = { id: 'new', type: 'campaign.paid' };
    expect(await postEvent(ingress, event)).toMatchObject({ status: 202 });
    await eventually(async () => {
      const events = await stored(databaseUrl);
      return events.length === 3 && typeof events.at(-1)?.retryAfter === 'number';
    }, 'the new event was attempted, and the oldest one pruned');
    const [kept, late, fresh] = await stored(databaseUrl);
    expect(kept?.age).toBeGreaterThan(20 * day);
    expect(late?.age).toBeGreaterThan(1_000);
    expect(Math.abs(fresh?.age ?? day)).toBeLessThan(2 * minute);
    // Up to a tenth later.
    expect(Math.abs((fresh?.retryAfter ?? 0) - firstRetryMs / 1_000)).toBeLessThan(1);
    const lag = (await metrics(sender))('relay_lag_seconds');
    expect(lag).toBeGreaterThanOrEqual(999);
    expect(lag).toBeLessThan(1_000 + 2 * minute);
    const offset = (await metrics(wrong === 'ingress' ? ingress : sender))(
      'relay_clock_offset_seconds',
    );
    expect(Math.abs(offset - seconds)).toBeLessThan(5);
  },
);
