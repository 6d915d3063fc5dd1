import { inRounds } from '../../lib/rounds.ts';
import { digits, percentile } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { Order } from './clients.ts';
import { type Findings, pick, waitsBeside } from './findings.ts';
import { paced } from './load.ts';
import { now } from './now.ts';
import type { RelayUnderLoad } from './relay-under-load.ts';
import { toApi } from './requests.ts';
import type { Stage } from './stage.ts';

const alone = 'without';
const type = 'campaign.paid';
const other = 'user.registered';
const healthy = 25;
const perSecond = 10;
const parallel = 60;

/** The p99 of a delivery and of the response to the service, in milliseconds. */
interface Waits {
  readonly delivery: number;
  readonly ingress: number;
}

/** Events for 25 subscriptions, while clients read with the slowest filter all the time. */
export async function besideReads(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  const access = await relay.start();
  const [well, rest] = [stage.receivers(), stage.receivers()];
  await relay.subscribe(await well.open(healthy), type);
  await relay.subscribe(await rest.open(1), other);
  const stored = isShort ? 100_000 : 5_000_000;
  await stage.seedMonth(databaseUrl, { count: stored, type: other, state: 'delivered' });
  const path = await slowestOf(relay);
  const readers = startWorker<Order, void>(siblingPath(import.meta.url, 'clients.ts'));
  const request = toApi(access.token, 'GET', path);
  // The p99 of fewer responses would be the slowest one.
  const enough = isShort ? 20 : 300;
  const turn = async (): Promise<Waits> => {
    const responses: number[] = [];
    await paced(
      perSecond,
      (begun) => begun >= enough,
      async () => {
        const before = now();
        await relay.deliver(type);
        responses.push(now() - before);
      },
    );
    const deliveries = await well.heard(enough * healthy);
    return { delivery: percentile(deliveries, 0.99), ingress: percentile(responses, 0.99) };
  };
  const name = `${parallel} at once of GET ${path.replace(/sub_\w+/, '…')}`;
  const samples = await inRounds<Waits>(
    {
      [alone]: turn,
      [name]: async () => {
        await readers.ask({ url: access.url, request, count: parallel });
        const waits = await turn();
        await readers.ask('stop');
        return waits;
      },
    },
    isShort ? 2 : 5,
    isShort ? 0 : 1,
  );
  readers.stop();
  return waitsBeside(`beside reads of ${digits(stored)} deliveries`, alone, name, {
    'a delivery': pick(samples, ({ delivery }) => delivery),
    'the response to the service': pick(samples, ({ ingress }) => ingress),
  });
}

/** Of the filters that match few records of many, or that read the most. */
async function slowestOf(relay: RelayUnderLoad): Promise<string> {
  const subscriptions = await relay.list<{ id: string; events: string[] }>('/subscriptions');
  const few = subscriptions.find(({ events }) => events.includes(type))?.id;
  const many = subscriptions.find(({ events }) => events.includes(other))?.id;
  const paths = [
    `/deliveries?subscription_id=${few}&state=delivered&limit=200`,
    `/deliveries?subscription_id=${many}&state=dead&limit=200`,
    `/deliveries?subscription_id=${many}&limit=200`,
    '/deliveries?state=dead&limit=200',
    `/events?type=${type}&limit=200`,
    `/events?type=${type}&search=none`,
    '/events?limit=200',
  ];
  let slowest = { path: '', ms: 0 };
  for (const path of paths) {
    await relay.call('GET', path);
    const before = now();
    await relay.call('GET', path);
    const ms = now() - before;
    if (ms > slowest.ms) slowest = { path, ms };
  }
  return slowest.path;
}
