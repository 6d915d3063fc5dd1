import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost } from '../../lib/section.ts';
import { digits, percentile, showSpread } from '../../lib/spread.ts';
import { type RelayTurn, turnOf } from './commits.ts';
import { type Findings, pick } from './findings.ts';
import { now } from './now.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import type { Stage } from './stage.ts';

interface Sample extends RelayTurn {
  readonly eventsMs: number;
  readonly deliveriesMs: number;
}

const type = 'campaign.paid';

/** Whether the relay gets slower with what it keeps. */
export async function withManyStored(stage: Stage, isShort: boolean): Promise<Findings> {
  const [few, many] = isShort ? [1_000, 50_000] : [10_000, 1_000_000];
  const open = async (count: number) => {
    const databaseUrl = await stage.database();
    const relay = stage.relay(databaseUrl);
    await relay.start();
    const receivers = stage.receivers();
    await relay.subscribe(await receivers.open(1), type);
    await stage.seed(databaseUrl, { count, type, state: 'delivered' });
    return async (): Promise<Sample> => ({
      ...(await turnOf(relay, receivers, isShort ? 300 : 2_000)),
      eventsMs: await timeOfList(relay, `/events?type=${type}`),
      deliveriesMs: await timeOfList(relay, '/deliveries'),
    });
  };
  const [small, large] = [digits(few), digits(many)];
  const samples = await inRounds<Sample>(
    { [small]: await open(few), [large]: await open(many) },
    isShort ? 3 : 15,
  );
  const [rate, endToEnd, eventsMs, deliveriesMs] = [
    pick(samples, ({ perSecond }) => perSecond),
    pick(samples, (sample) => sample.endToEnd),
    pick(samples, (sample) => sample.eventsMs),
    pick(samples, (sample) => sample.deliveriesMs),
  ].map((figures) => ratiosTo(small, figures)[large]);
  return {
    table: {
      head: ['stored events', 'events a second', 'end to end', 'GET /events', 'GET /deliveries'],
      rows: [
        [small, '1', '1', '1', '1'],
        [large, ...[rate, endToEnd, eventsMs, deliveriesMs].map(showSpread)],
      ],
    },
    goals: [
      atLeast(`events a second with ${large} stored, to ${small}`, rate, 0.9),
      atMost(`time of GET /events with ${large} stored, to ${small}`, eventsMs, 1.25),
      atMost(`time of GET /deliveries with ${large} stored, to ${small}`, deliveriesMs, 1.25),
    ],
  };
}

async function timeOfList(relay: RelayUnderLoad, path: string): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < 20; nth += 1) {
    const before = now();
    await relay.get(path);
    times.push(now() - before);
  }
  return percentile(times, 0.5);
}
