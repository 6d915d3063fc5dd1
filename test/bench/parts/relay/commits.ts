import { Pool } from 'pg';
import { Pool as Requests } from 'undici';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import { insertBare } from './bare-commit.ts';
import { type Findings, pick } from './findings.ts';
import { atOnce, perSecondSince, type Turn } from './load.ts';
import { now } from './now.ts';
import type { Receivers } from './receivers-group.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import { deliver } from './requests.ts';
import type { Stage } from './stage.ts';

export interface RelayTurn extends Turn {
  /** Events a second from the first request to the last arrival. */
  readonly endToEnd: number;
}

const direct = 'bare commits, straight to the database';
const bare = 'bare commits, behind an endpoint';
const ours = 'relay';
const type = 'campaign.paid';

/**
 * The least that keeps an event: a row with its bytes, committed before the response. Straight to
 * the database there is neither a request nor a response, which shows what those alone cost.
 */
export async function againstBareCommits(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const receivers = stage.receivers();
  await relay.subscribe(await receivers.open(1), type);
  const worker = startWorker<string, string>(siblingPath(import.meta.url, 'bare-endpoint.ts'));
  const endpoint = new Requests(await worker.ask(databaseUrl));
  const pool = new Pool({ connectionString: databaseUrl, max: 32 });
  const body = Buffer.alloc(300, 'x');
  const commit = () => insertBare(pool, body);
  const count = isShort ? 300 : 2_000;
  const plain = async (work: () => Promise<unknown>) => {
    const turn = await atOnce(count, work);
    return { ...turn, endToEnd: turn.perSecond };
  };
  const samples = await inRounds<RelayTurn>(
    {
      [direct]: () => plain(commit),
      [bare]: () => plain(() => deliver(endpoint, 'any-secret', type)),
      [ours]: () => turnOf(relay, receivers, count),
    },
    isShort ? 2 : 15,
  );
  await Promise.all([pool.end(), endpoint.close()]);
  worker.stop();
  const rates = pick(samples, ({ perSecond }) => perSecond);
  const waits = pick(samples, ({ p99 }) => p99);
  const [rate, p99, endToEnd] = [rates, waits, pick(samples, (turn) => turn.endToEnd)].map(
    (figures) => ratiosTo(bare, figures),
  );
  return {
    table: {
      head: ['32 at once', 'events a second', 'p99 of the response', 'end to end', 'a second here'],
      rows: [direct, bare, ours].map((name) => [
        name,
        ...[rate, p99, endToEnd].map((ratios) => showSpread(ratios?.[name])),
        digits(spreadOf(rates[name] ?? []).median),
      ]),
    },
    goals: [
      atLeast('events a second, to bare commits behind an endpoint', rate?.[ours], 0.5),
      atMost('p99 of the response, to bare commits behind an endpoint', p99?.[ours], 3),
      atLeast(
        'events a second end to end, to bare commits behind an endpoint',
        endToEnd?.[ours],
        0.3,
      ),
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
