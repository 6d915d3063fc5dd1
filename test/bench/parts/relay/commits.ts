import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import { type Findings, pick } from './findings.ts';
import { atOnce, perSecondSince, type Turn } from './load.ts';
import { now } from './now.ts';
import type { Receivers } from './receivers-group.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import type { Stage } from './stage.ts';

export interface RelayTurn extends Turn {
  /** Events a second from the first request to the last arrival. */
  readonly endToEnd: number;
}

const bare = 'bare commits';
const ours = 'relay';
const type = 'campaign.paid';

/** What the least that keeps an event would cost: a row with its bytes, committed. */
export async function againstBareCommits(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const receivers = stage.receivers();
  await relay.subscribe(await receivers.open(1), type);
  const pool = new Pool({ connectionString: databaseUrl, max: 32 });
  await pool.query('CREATE TABLE bare (id uuid PRIMARY KEY, body bytea NOT NULL)');
  const body = Buffer.alloc(300, 'x');
  const commit = () =>
    pool.query({
      name: 'bare',
      text: 'INSERT INTO bare VALUES ($1, $2)',
      values: [randomUUID(), body],
    });
  const count = isShort ? 300 : 2_000;
  const samples = await inRounds<RelayTurn>(
    {
      [bare]: async () => {
        const turn = await atOnce(count, commit);
        return { ...turn, endToEnd: turn.perSecond };
      },
      [ours]: () => turnOf(relay, receivers, count),
    },
    isShort ? 3 : 15,
  );
  await pool.end();
  const rates = pick(samples, ({ perSecond }) => perSecond);
  const waits = pick(samples, ({ p99 }) => p99);
  const [rate, p99, endToEnd] = [rates, waits, pick(samples, (turn) => turn.endToEnd)].map(
    (figures) => ratiosTo(bare, figures),
  );
  return {
    table: {
      head: ['32 at once', 'events a second', 'p99 of the response', 'end to end', 'a second here'],
      rows: [bare, ours].map((name) => [
        name,
        ...[rate, p99, endToEnd].map((ratios) => showSpread(ratios?.[name])),
        digits(spreadOf(rates[name] ?? []).median),
      ]),
    },
    goals: [
      atLeast('events a second, to bare commits', rate?.[ours], 0.5),
      atMost('p99 of the response, to bare commits', p99?.[ours], 3),
      atLeast('events a second end to end, to bare commits', endToEnd?.[ours], 0.3),
    ],
  };
}

/** So many events, and the wait until the subscriber has them. */
export async function turnOf(
  relay: RelayUnderLoad,
  receivers: Receivers,
  count: number,
): Promise<RelayTurn> {
  const startedAt = now();
  const turn = await atOnce(count, () => relay.deliver(type));
  await receivers.heard(count);
  return { ...turn, endToEnd: perSecondSince(startedAt, count) };
}
