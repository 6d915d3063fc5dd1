import { atMost } from '../../lib/section.ts';
import { digits, exactly } from '../../lib/spread.ts';
import { turnOf } from './commits.ts';
import type { Findings } from './findings.ts';
import { paced } from './load.ts';
import type { Stage } from './stage.ts';

const type = 'campaign.paid';

/** Whether the tables grow that constantly change, at half of the largest rate. */
export async function queueSize(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const receivers = stage.receivers();
  await relay.subscribe(await receivers.open(1), type);
  const rate = (await turnOf(relay, receivers, isShort ? 1_000 : 10_000)).endToEnd / 2;
  const [early, late] = isShort ? [5, 20] : [60, 600];
  const run = async (seconds: number): Promise<number> => {
    const count = Math.round(rate * seconds);
    await paced(
      rate,
      (begun) => begun >= count,
      () => relay.deliver(type),
    );
    await receivers.heard(count);
    const { rows } = await stage.sql(databaseUrl, (client) => client.query(queueBytes));
    return rows[0]?.bytes ?? Number.NaN;
  };
  const first = await run(early);
  const last = await run(late - early);
  const { rows } = await stage.sql(databaseUrl, (client) => client.query(hotUpdates));
  const names = rows.map((row) => row.relname);
  return {
    table: {
      head: [
        'events a second',
        `bytes of subscriptions and leases after ${early} s`,
        `after ${late} s`,
        ...names.map((name) => `HOT share of updates: ${name}`),
      ],
      rows: [[digits(rate), digits(first), digits(last), ...rows.map((row) => digits(row.share))]],
    },
    goals: [
      atMost(
        `size of subscriptions and leases after ${late} s, to ${early} s`,
        exactly(last / first),
        1.3,
      ),
    ],
  };
}

const queueBytes = `
SELECT (pg_total_relation_size('subscription') + pg_total_relation_size('lease'))::float8 AS bytes`;
const hotUpdates = `
SELECT relname, n_tup_hot_upd::float8 / n_tup_upd AS share FROM pg_stat_user_tables
WHERE n_tup_upd > 0 AND relname IN ('subscription', 'lease') ORDER BY relname`;
