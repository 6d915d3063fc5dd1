import { setTimeout as wait } from 'node:timers/promises';
import type { EventName } from '@screen-advertising/core';
import { retryOnConflict } from '../../../../packages/relay/src/base/statements.ts';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost } from '../../lib/section.ts';
import { digits, percentile, showSpread, spreadOf } from '../../lib/spread.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import type { Findings, Stage } from './stage.ts';

const type = 'campaign.paid';
const others: EventName = 'user.registered';
const healthy = 25;
const perSecond = 10;
/** Of each kind of neighbor. */
const count = 100;
/** Deliveries that wait for each of them at the start of a turn. */
const pending = 20;
/** Events that do not count, at the start of a turn. */
const warmUps = 5;
/** The longest time of a timer. */
const forEver = 2 ** 31 - 1;
const alone = 'without';
const name = `${count} that take 5 s and ${count} that hang, ${pending} pending each`;

/** 25 healthy subscriptions, which get ten events a second, beside others that do not keep up. */
export async function besideNeighbors(stage: Stage, isShort: boolean): Promise<Findings> {
  const samples = await inRounds<number>(
    { [alone]: await open(stage, isShort, false), [name]: await open(stage, isShort, true) },
    isShort ? 2 : 5,
    isShort ? 0 : 1,
  );
  const ratios = ratiosTo(alone, samples);
  return {
    table: {
      head: ['beside 25 healthy subscriptions', 'p99 of a delivery to them', 'milliseconds here'],
      rows: [alone, name].map((one) => [
        one,
        showSpread(ratios[one]),
        digits(spreadOf(samples[one] ?? []).median),
      ]),
    },
    goals: [atMost(`p99 beside ${name}, to without`, ratios[name], 1.5)],
  };
}

/** Returns what measures one turn: the p99 of the healthy subscriptions. */
async function open(
  stage: Stage,
  isShort: boolean,
  hasNeighbors: boolean,
): Promise<() => Promise<number>> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const well = stage.receivers();
  await relay.subscribe(await well.open(healthy), type);
  if (hasNeighbors) {
    const rest = stage.receivers();
    const targets = [...(await rest.open(1, 5_000)), ...(await rest.open(1, forEver))];
    for (const url of targets) await subscribeMany(stage, relay, databaseUrl, `${url}%s`);
  }
  const sql = (text: string) => stage.sql(databaseUrl, (client) => client.query(text));
  const latencies = async (events: number) => {
    // Begins each at its time, whether the ones before have ended or not.
    const startedAt = performance.now();
    const deliveries = Array.from({ length: events }, async (_, nth) => {
      await wait(startedAt + (nth * 1000) / perSecond - performance.now());
      await relay.deliver(type);
    });
    await Promise.all(deliveries);
    return well.heard(events * healthy);
  };
  return async () => {
    await sql(pauseNeighbors);
    await stage.seed(databaseUrl, { count: pending, type: others, state: 'waiting' });
    // Opens the connections again, and lets them read what has just been changed in the catalog.
    await latencies(warmUps);
    await retryOnConflict(() => sql(startNeighbors));
    const p99 = percentile(await latencies(isShort ? 20 : 100), 0.99);
    // A sender may be writing the last results, here as above.
    await retryOnConflict(() => sql(endDeliveries));
    return p99;
  };
}

const pauseNeighbors = `
UPDATE lease SET paused_until = clock_timestamp() + interval '1 hour'
WHERE subscription_number IN (SELECT number FROM subscription WHERE '${others}' = ANY (events))`;
/** As if they had never failed. */
const startNeighbors = `
UPDATE lease SET failures_in_a_row = 0, paused_until = NULL
WHERE failures_in_a_row > 0 OR paused_until IS NOT NULL`;
const endDeliveries = `
UPDATE delivery SET state = 'dead', next_at = NULL WHERE state = 'pending';
UPDATE subscription SET position = (SELECT max(position) FROM event)`;

/** One through the API, and copies of it, since so many requests would take minutes. */
async function subscribeMany(
  stage: Stage,
  relay: RelayUnderLoad,
  databaseUrl: string,
  url: string,
): Promise<void> {
  const first = url.replace('%s', '1');
  await relay.subscribe([first], others);
  await stage.sql(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO subscription
        (id, source_number, token_number, target_url, events, since, position, created_at)
      SELECT gen_random_uuid(), source_number, token_number, replace($1, '%s', nth::text), events,
        since, position, created_at
      FROM subscription, generate_series(2, $2::integer) AS nth WHERE target_url = $3`,
      [url, count, first],
    );
    await client.query(`INSERT INTO lease (subscription_number) SELECT number FROM subscription
      ON CONFLICT DO NOTHING`);
    await client.query('VACUUM ANALYZE');
  });
}
