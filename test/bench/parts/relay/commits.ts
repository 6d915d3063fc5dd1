import { Pool } from 'undici';
import { inRounds, pick, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import { atOnce, now, perSecondSince, type Turn } from './load.ts';
import { deliver, type RelayUnderLoad } from './relay-under-load.ts';
import type { Findings, Receivers, Stage } from './stage.ts';

interface RelayTurn extends Turn {
  /** Events a second from the first request to the last arrival. */
  readonly endToEnd: number;
}

const bare = 'bare commits, behind an endpoint';
const ours = 'relay';
const type = 'campaign.paid';

/** The least that keeps an event: a row with its bytes, committed before the response. */
export async function againstBareCommits(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const receivers = stage.receivers();
  await relay.subscribe(await receivers.open(1), type);
  const worker = startWorker<string, string>(siblingPath(import.meta.url, 'bare-endpoint.ts'));
  const endpoint = new Pool(await worker.ask(databaseUrl));
  const count = isShort ? 300 : 2_000;
  const samples = await inRounds<RelayTurn>(
    {
      [bare]: async () => {
        const turn = await atOnce(count, () => deliver(endpoint, 'any-secret', type));
        return { ...turn, endToEnd: turn.perSecond };
      },
      [ours]: () => turnOf(relay, receivers, count),
    },
    isShort ? 2 : 15,
  );
  await endpoint.close();
  worker.stop();
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
