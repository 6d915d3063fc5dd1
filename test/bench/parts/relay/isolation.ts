import { retryConflict } from '../../../../packages/relay/src/database/retry-conflict.ts';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost } from '../../lib/section.ts';
import { digits, percentile, showSpread, spreadOf } from '../../lib/spread.ts';
import type { Findings } from './findings.ts';
import { paced } from './load.ts';
import type { Stage } from './stage.ts';

const alone = '25 that respond';
const beside = '25 more that do not';
const type = 'campaign.paid';
const perSecond = 10;

/** Ten of them hang, ten respond after a second, five refuse the connection. */
const troubled = [
  [10, 'hang', 0],
  [10, 'ok', 1_000],
  [5, 'refuse', 0],
] as const;

/** Every turn finds the troubled ones as if they had never failed, when they are asked most often. */
const forgetFailures = `
WITH gone AS (UPDATE delivery SET state = 'dead', next_at = NULL WHERE state = 'pending'),
  read AS (UPDATE subscription SET position = (SELECT max(position) FROM event))
UPDATE lease SET failures_in_a_row = 0, paused_until = NULL`;

export async function besideTroubled(stage: Stage, isShort: boolean): Promise<Findings> {
  const open = async (withTroubled: boolean) => {
    const databaseUrl = await stage.database();
    const relay = stage.relay(databaseUrl);
    await relay.start();
    const [healthy, others] = [stage.receivers(), stage.receivers()];
    await relay.subscribe(await healthy.open(25), type);
    for (const [count, kind, delayMs] of withTroubled ? troubled : []) {
      await relay.subscribe(await others.open(count, kind, delayMs), type);
    }
    return async (): Promise<number> => {
      const enough = isShort ? 15 : 60;
      await paced(
        perSecond,
        (begun) => begun >= enough,
        () => relay.deliver(type),
      );
      const latencies = await healthy.heard(enough * 25);
      await retryConflict(() => stage.sql(databaseUrl, (client) => client.query(forgetFailures)));
      return percentile(latencies, 0.99);
    };
  };
  const samples = await inRounds<number>(
    { [alone]: await open(false), [beside]: await open(true) },
    isShort ? 2 : 9,
    isShort ? 0 : 1,
  );
  const ratios = ratiosTo(alone, samples);
  return {
    table: {
      head: ['50 subscriptions', 'p99 of a delivery to the 25', 'milliseconds here'],
      rows: [alone, beside].map((name) => [
        name,
        showSpread(ratios[name]),
        digits(spreadOf(samples[name] ?? []).median),
      ]),
    },
    goals: [atMost('p99 beside 25 that hang, are slow or refuse, to without', ratios[beside], 1.5)],
  };
}
