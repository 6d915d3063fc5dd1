import { Pool } from 'undici';
import { inRounds } from '../../lib/rounds.ts';
import { percentile } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { Order } from './clients.ts';
import { type Findings, pick, waitsBeside } from './findings.ts';
import { now } from './now.ts';
import { type Sent, send, toApi } from './requests.ts';
import type { Stage } from './stage.ts';

const type = 'campaign.paid';
const alone = 'without';
const atOnce = 400;
const beside = `${atOnce} POSTs at once of another token, all the time`;

type Waits = Record<string, number>;

/** Requests of another token and of the operator, while one token asks for much at once. */
export async function besideWrites(stage: Stage, isShort: boolean): Promise<Findings> {
  const databaseUrl = await stage.database();
  const { url, token, otherToken, signInLink } = await stage.relay(databaseUrl).start();
  const [target_url] = await stage.receivers().open(1);
  const put = { target_url, events: [type] };
  const requests = new Pool(url);
  const flood = startWorker<Order, void>(siblingPath(import.meta.url, 'clients.ts'));
  const { id } = JSON.parse(await send(requests, toApi(token, 'PUT', '/subscriptions', put)));
  await stage.seed(databaseUrl, { count: isShort ? 1_000 : 100_000, type, state: 'delivered' });
  const asked = { missing: true, from: new Date(0).toISOString() };
  const request = toApi(token, 'POST', `/subscriptions/${id}/redeliver`, asked);
  const others: Readonly<Record<string, Sent>> = {
    'GET /me': toApi(otherToken, 'GET', '/me'),
    'PUT /subscriptions': toApi(otherToken, 'PUT', '/subscriptions', put),
    'the page': { method: 'GET', path: '/operator/events', headers: await signedIn(signInLink) },
  };
  const turns = isShort ? 20 : 100;
  /** One request of each kind after the other, and again. */
  const p99 = async (): Promise<Waits> => {
    const times = new Map<string, number[]>(Object.keys(others).map((name) => [name, []]));
    for (let asked = 0; asked < turns; asked += 1) {
      for (const [name, sent] of Object.entries(others)) {
        const before = now();
        await send(requests, sent);
        times.get(name)?.push(now() - before);
      }
    }
    return Object.fromEntries([...times].map(([name, each]) => [name, percentile(each, 0.99)]));
  };
  const samples = await inRounds<Waits>(
    {
      [alone]: p99,
      [beside]: async () => {
        await flood.ask({ url, request, count: atOnce });
        const waits = await p99();
        await flood.ask('stop');
        return waits;
      },
    },
    isShort ? 2 : 7,
    1,
  );
  flood.stop();
  await requests.destroy();
  const waitsFor = (of: string) => [of, pick(samples, (waits) => waits[of] ?? Number.NaN)] as const;
  const waits = Object.fromEntries(Object.keys(others).map(waitsFor));
  return waitsBeside('beside requests', alone, beside, waits);
}

/** The header of an operator who used a sign-in link. */
async function signedIn(link: string): Promise<Record<string, string>> {
  const { origin, pathname, searchParams } = new URL(link);
  const response = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ link: searchParams.get('link') ?? '' }),
  });
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
  if (cookie === '') throw new Error(`The sign-in ended with ${response.status}.`);
  return { cookie };
}
