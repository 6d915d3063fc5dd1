import { atMost } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import type { Findings } from './findings.ts';
import { now } from './now.ts';
import type { Stage } from './stage.ts';

const type = 'campaign.paid';
const none = 'with none';
const rounds = 20;
const maxMs = 100;

/** How long each change of a subscription takes, although many events wait for it. */
export async function subscriptionChanges(stage: Stage, isShort: boolean): Promise<Findings> {
  const many = isShort ? 100_000 : 3_000_000;
  const waiting = `with ${digits(many)} waiting`;
  const times: Readonly<Record<string, Map<string, number[]>>> = {
    [none]: await timesOf(stage, 0),
    [waiting]: await timesOf(stage, many),
  };
  const changes = [...(times[none]?.keys() ?? [])];
  const of = (name: string, change: string) => times[name]?.get(change) ?? [];
  return {
    table: {
      head: [
        'milliseconds here until a subscription is',
        none,
        waiting,
        `the slowest of ${rounds}`,
      ],
      rows: changes.map((change) => [
        change,
        showSpread(spreadOf(of(none, change))),
        showSpread(spreadOf(of(waiting, change))),
        digits(Math.max(...of(waiting, change))),
      ]),
    },
    goals: changes.map((change) =>
      atMost(
        `milliseconds until a subscription ${waiting} is ${change}`,
        spreadOf(of(waiting, change)),
        maxMs,
      ),
    ),
  };
}

/** Milliseconds of each change, made again and again beside a sender whose subscriber never responds. */
async function timesOf(stage: Stage, count: number): Promise<Map<string, number[]>> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const [target_url = ''] = await stage.receivers().open(1, 'hang');
  const put = { target_url, events: [type], catch_up: true };
  let id = '';
  const subscribe = async () => {
    ({ id } = await relay.call<{ id: string }>('PUT', '/subscriptions', put));
  };
  await subscribe();
  if (count > 0) await stage.seed(databaseUrl, { count, type, state: 'waiting' });
  const of = () => `/subscriptions/${id}`;
  const changes: Record<string, () => Promise<unknown>> = {
    'switched off': () => relay.call('PATCH', of(), { state: 'off' }),
    'switched on': () => relay.call('PATCH', of(), { state: 'active' }),
    'asked for the missing': () => relay.call('POST', `${of()}/redeliver`, { missing: true }),
    'asked for the dead': () => relay.call('POST', `${of()}/redeliver`, { states: ['dead'] }),
    deleted: () => relay.call('DELETE', of()),
    'caught up': subscribe,
  };
  const times = new Map(Object.keys(changes).map((change): [string, number[]] => [change, []]));
  // The first round opens connections and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [change, make] of Object.entries(changes)) {
      const startedAt = now();
      await make();
      if (round > 0) times.get(change)?.push(now() - startedAt);
    }
  }
  return times;
}
