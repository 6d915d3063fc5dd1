import type { EventName } from '@screen-advertising/core';
import { retryOnConflict } from '../../../../packages/relay/src/base/statements.ts';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost } from '../../lib/section.ts';
import { digits, percentile, showSpread, spreadOf } from '../../lib/spread.ts';
import type { Findings } from './findings.ts';
import { paced } from './load.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import type { Stage } from './stage.ts';

export type Measure = (stage: Stage, isShort: boolean) => Promise<Findings>;

const type = 'campaign.paid';
const others: EventName = 'user.registered';
const healthy = 25;
const perSecond = 10;
/** Events that do not count, at the start of a turn. */
const warmUps = 5;
const alone = 'without';

const kinds = { slow: 'that take 5 s', hang: 'that hang', prompt: 'that are idle' } as const;

type Kind = keyof typeof kinds;

/** How many other subscriptions a relay has of each kind. */
interface Neighbors {
  readonly counts: Partial<Record<Kind, number>>;
  /** Deliveries that wait for each of them at the start of a turn. */
  readonly pending: number;
  /** Relay processes. Default: 1. */
  readonly processes?: number;
}

const maxRatio = 1.5;

/** Each of them beside 25 healthy subscriptions, which get ten events a second. */
export const neighbors: Readonly<Record<string, Measure>> = {
  'slow-400': beside({ counts: { slow: 400 }, pending: 20 }),
  'hang-200': beside({ counts: { hang: 200 }, pending: 20 }),
  'both-200': beside({ counts: { slow: 100, hang: 100 }, pending: 20 }),
  'both-200-two': beside({ counts: { slow: 100, hang: 100 }, pending: 20, processes: 2 }),
  'idle-10000': beside({ counts: { prompt: 10_000 }, pending: 0 }),
};

function beside(what: Neighbors): Measure {
  const name = nameOf(what);
  return async (stage, isShort) => {
    const nobody = { ...what, counts: {}, pending: 0 };
    const samples = await inRounds<number>(
      { [alone]: await open(stage, isShort, nobody), [name]: await open(stage, isShort, what) },
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
      goals: [atMost(`p99 beside ${name}, to without`, ratios[name], maxRatio)],
    };
  };
}

function nameOf({ counts, pending, processes = 1 }: Neighbors): string {
  const groups = Object.entries(counts).map(
    ([kind, count]) => `${digits(count)} ${kinds[kind as Kind]}`,
  );
  const waiting = pending > 0 ? `, ${pending} pending each` : '';
  return `${groups.join(' and ')}${waiting}${processes > 1 ? `, ${processes} processes` : ''}`;
}

/** Returns what measures one turn: the p99 of the healthy subscriptions. */
async function open(
  stage: Stage,
  isShort: boolean,
  { counts, pending, processes = 1 }: Neighbors,
): Promise<() => Promise<number>> {
  const databaseUrl = await stage.database();
  const [relay, ...more] = Array.from({ length: processes }, () => stage.relay(databaseUrl));
  if (!relay) throw new Error('A relay has at least one process.');
  for (const one of [relay, ...more]) await one.start();
  const [well, rest] = [stage.receivers(), stage.receivers()];
  await relay.subscribe(await well.open(healthy), type);
  for (const [kind, count] of Object.entries(counts))
    await subscribeMany(stage, relay, databaseUrl, await targetOf(kind as Kind, rest), count);
  const sql = (text: string) => stage.sql(databaseUrl, (client) => client.query(text));
  const latencies = async (count: number) => {
    await paced(
      perSecond,
      (begun) => begun >= count,
      () => relay.deliver(type),
    );
    return well.heard(count * healthy);
  };
  return async () => {
    if (pending > 0) {
      await sql(pauseNeighbors);
      await stage.seed(databaseUrl, { count: pending, type: others, state: 'waiting' });
    } else {
      await stage.settle(databaseUrl);
    }
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

/** One subscriber with several addresses. */
async function targetOf(kind: Kind, receivers: ReturnType<Stage['receivers']>) {
  const [url] =
    kind === 'hang'
      ? await receivers.open(1, 'hang')
      : await receivers.open(1, 'ok', kind === 'slow' ? 5_000 : 0);
  return `${url}%s`;
}

/** One through the API, and copies of it, since so many requests would take minutes. */
async function subscribeMany(
  stage: Stage,
  relay: RelayUnderLoad,
  databaseUrl: string,
  url: string,
  count: number,
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
