import { setTimeout as wait } from 'node:timers/promises';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import { now, perSecondSince } from './load.ts';
import type { Findings, Stage } from './stage.ts';

const type = 'campaign.paid';
const latencyMs = 100;
/** So few that the subscribers' latency is the limit, and not this machine's processor. */
const places = 3;
/** More than all four processes together. */
const subscriptions = 20;

/** Sender processes on one database, each with as much to do as it can take. */
export async function withMoreSenders(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const receivers = stage.receivers();
  const ingress = stage.relay(databaseUrl);
  await ingress.start({ role: 'ingress' });
  await ingress.subscribe(await receivers.open(subscriptions, latencyMs), type);
  await stage.seed(databaseUrl, { count: isShort ? 1_000 : 4_000, type, state: 'waiting' });
  const senders = Array.from({ length: 4 }, () => stage.relay(databaseUrl));
  const run = (count: number) => async (): Promise<number> => {
    const working = senders.slice(0, count);
    await Promise.all(
      working.map((sender) => sender.start({ role: 'sender', internal: { places } })),
    );
    // Until each of them has taken its subscriptions.
    await wait(500);
    await receivers.heard();
    const startedAt = now();
    await wait(isShort ? 1_000 : 4_000);
    const rate = perSecondSince(startedAt, (await receivers.heard()).length);
    await Promise.all(working.map((sender) => sender.stop()));
    return rate;
  };
  const samples = await inRounds<number>(
    { 1: run(1), 2: run(2), 4: run(4) },
    isShort ? 1 : 7,
    isShort ? 0 : 1,
  );
  const ratios = ratiosTo('1', samples);
  return {
    table: {
      head: [
        `sender processes, ${places} subscriptions at once each, subscribers that take ${latencyMs} ms`,
        'deliveries a second',
        'a second here',
      ],
      rows: Object.entries(samples).map(([name, rates]) => [
        name,
        showSpread(ratios[name]),
        digits(spreadOf(rates).median),
      ]),
    },
    goals: [
      atLeast('deliveries a second of 2 sender processes, to 1', ratios['2'], 1.8),
      atLeast('deliveries a second of 4 sender processes, to 1', ratios['4'], 3.2),
    ],
  };
}
