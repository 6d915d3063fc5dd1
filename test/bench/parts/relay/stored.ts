import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost } from '../../lib/section.ts';
import { digits, percentile, showSpread } from '../../lib/spread.ts';
import { turnOf } from './commits.ts';
import { now } from './load.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import type { Findings, Stage } from './stage.ts';

const type = 'campaign.paid';
const few = 10_000;
/** As long as a relay keeps events. */
const secondsOfMonth = 30 * 86_400;
const small = digits(few);
const lists = [`/events?type=${type}`, '/deliveries'] as const;
const reads = lists.map((path) => `GET ${path}`);

/** Whether the relay gets slower with what it keeps. */
export async function withManyStored(stage: Stage, isShort: boolean): Promise<Findings> {
  const many = isShort ? 100_000 : 5_000_000;
  const large = digits(many);
  const open = async (count: number) => {
    const databaseUrl = await stage.database();
    const relay = stage.relay(databaseUrl);
    await relay.start();
    const receivers = stage.receivers();
    await relay.subscribe(await receivers.open(1), type);
    const secondsBetween = secondsOfMonth / count;
    await stage.seed(databaseUrl, { count, type, state: 'delivered', secondsBetween });
    return { relay, receivers };
  };
  const [of, ofMany] = [await open(few), await open(many)];
  const rates = await inRounds<number>(
    {
      [small]: async () => (await turnOf(of.relay, of.receivers, 2_000)).perSecond,
      [large]: async () => (await turnOf(ofMany.relay, ofMany.receivers, 2_000)).perSecond,
    },
    isShort ? 2 : 15,
  );
  const times = [];
  for (const path of lists) {
    const read = (relay: RelayUnderLoad) => () => timeOfList(relay, path);
    times.push(
      await inRounds<number>({ [small]: read(of.relay), [large]: read(ofMany.relay) }, 40),
    );
  }
  const [rate, ...reading] = [rates, ...times].map((figures) => ratiosTo(small, figures)[large]);
  return {
    table: {
      head: ['stored events', 'events a second', ...reads],
      rows: [
        [small, '1', ...reads.map(() => '1')],
        [large, ...[rate, ...reading].map(showSpread)],
      ],
    },
    goals: [
      atLeast(`events a second with ${large} stored, to ${small}`, rate, 0.8),
      ...reads.map((read, nth) =>
        atMost(`time of ${read} with ${large} stored, to ${small}`, reading[nth], 1.25),
      ),
    ],
  };
}

/** Milliseconds, the middle of some. */
async function timeOfList(relay: RelayUnderLoad, path: string): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    const before = now();
    await relay.call('GET', path);
    times.push(now() - before);
  }
  return percentile(times, 0.5);
}
