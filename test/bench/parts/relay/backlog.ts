import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost } from '../../lib/section.ts';
import { digits, percentile, showSpread, spreadOf } from '../../lib/spread.ts';
import type { Findings } from './findings.ts';
import { paced } from './load.ts';
import type { Stage } from './stage.ts';

const alone = 'without a backlog';
const beside = 'beside a backlog';
const others = 20;
const perSecond = 20;
/** Of the one with the backlog; no real subscriber is nearer. */
const latencyMs = 5;

/** New events for others, while one subscription gets all that it has missed. */
export async function besideBacklog(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const [late, prompt] = [stage.receivers(), stage.receivers()];
  await relay.subscribe(await late.open(1, latencyMs), 'campaign.paid');
  await relay.subscribe(await prompt.open(others), 'user.registered');
  const size = isShort ? 500 : 10_000;
  const p99While = async (isEnough: (begun: number) => boolean) => {
    const begun = await paced(perSecond, isEnough, () => relay.deliver('user.registered'));
    return percentile(await prompt.heard(begun * others), 0.99);
  };
  const turns = isShort ? 15 : 100;
  const samples = await inRounds<number>(
    {
      [alone]: () => p99While((begun) => begun >= turns),
      [beside]: async () => {
        await stage.seed(databaseUrl, {
          count: size,
          type: 'campaign.paid',
          state: 'waiting',
        });
        let isDelivered = false;
        const delivered = late.heard(size).then(() => {
          isDelivered = true;
        });
        const p99 = await p99While(() => isDelivered);
        await delivered;
        return p99;
      },
    },
    isShort ? 2 : 7,
    isShort ? 0 : 1,
  );
  const ratios = ratiosTo(alone, samples);
  return {
    table: {
      head: [
        `a backlog of ${digits(size)} for a subscriber that takes ${latencyMs} ms`,
        'p99 of a delivery to the others',
        'milliseconds here',
      ],
      rows: [alone, beside].map((name) => [
        name,
        showSpread(ratios[name]),
        digits(spreadOf(samples[name] ?? []).median),
      ]),
    },
    goals: [atMost('p99 of a delivery beside a backlog, to without', ratios[beside], 1.5)],
  };
}
