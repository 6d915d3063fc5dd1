import { createRelay } from '@screen-advertising/relay';
import { atLeast, atMost } from '../../lib/section.ts';
import { digits, exactly, percentile } from '../../lib/spread.ts';
import { turnOf } from './commits.ts';
import type { Findings } from './findings.ts';
import { paced } from './load.ts';
import { now } from './now.ts';
import { secretKey } from './secret-key.ts';
import { days, type Stage } from './stage.ts';

const type = 'campaign.paid';
const old = 'user.registered';
const perSecond = 10;
const day = 24 * 3_600_000;

/**
 * How fast the relay deletes the oldest day of a month, to how fast it stores events, and what a
 * delivery takes meanwhile. Automatic pruning deletes an hour each hour, in batches like these.
 */
export async function pruneDay(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const [well, rest] = [stage.receivers(), stage.receivers()];
  await relay.subscribe(await well.open(1), type);
  await relay.subscribe(await rest.open(1), old);
  const count = isShort ? 100_000 : 5_000_000;
  await stage.seedMonth(databaseUrl, { count, type: old, state: 'delivered' });
  // Later in the log than the month, as pruning expects of what arrives later.
  const stored = await turnOf(relay, well, isShort ? 300 : 2_000);
  const p99While = async (isEnough: (begun: number) => boolean) => {
    const begun = await paced(perSecond, isEnough, () => relay.deliver(type));
    return percentile(await well.heard(begun), 0.99);
  };
  const alone = await p99While((begun) => begun >= (isShort ? 20 : 100));
  const pruner = await createRelay({ databaseUrl, secretKey });
  const startedAt = now();
  let seconds: number | undefined;
  let events = 0;
  const pruned = pruner.prune((days - 1) * day).then((deleted) => {
    seconds = (now() - startedAt) / 1_000;
    events = deleted.events;
  });
  const during = await p99While((begun) => seconds !== undefined && begun >= 20);
  await pruned;
  await pruner.close();
  const rate = events / (seconds ?? Number.NaN);
  return {
    table: {
      head: [
        `pruning a day of ${digits(count)} events in ${days} days`,
        'events deleted',
        'a second here',
        'to events stored a second',
        'p99 of a delivery meanwhile, milliseconds here',
        'without',
      ],
      rows: [
        [
          'prune',
          digits(events),
          digits(rate),
          digits(rate / stored.perSecond),
          digits(during),
          digits(alone),
        ],
      ],
    },
    goals: [
      atLeast('events pruned a second, to events stored', exactly(rate / stored.perSecond), 1),
      atMost(
        'milliseconds that the p99 of a delivery rises meanwhile',
        exactly(during - alone),
        10,
      ),
    ],
  };
}
