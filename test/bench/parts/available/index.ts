import { apiKey, type Client, createClient, operations } from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { undiciTransport } from '@screen-advertising/core/undici';
import { atLeast, atMost, type Part } from '../../lib/section.ts';
import { digits, exactly, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker, type Worker } from '../../lib/worker.ts';
import type { Request, Service } from './service.ts';

const latencyMs = 50;
const screens = 200;
const period = { from: '2027-03-01', to: '2027-03-14' };
const wanted = { ...period, min_available_sov_pct: 30, budget_cents: 300_000 };
const days = 14;

const part: Part = async ({ isShort }) => {
  const service = startWorker<Request, Service>(siblingPath(import.meta.url, 'service.ts'));
  const transport = undiciTransport();
  const open = ({ baseUrl, apiKey: key }: Service) =>
    createClient({ baseUrl, auth: apiKey(key), transport });
  try {
    const expected = await oneAfterTheOther(open(await service.ask({})));
    const runs = await timesOf(service, open, isShort ? 3 : 9);
    const latencies = spreadOf(runs.map(({ ms }) => ms / latencyMs));
    const equal = runs.filter(({ found }) => found === expected).length / runs.length;
    const refused = Math.max(...runs.map((run) => run.refused));
    return {
      title: 'Finding available screens',
      intro: `Listing ${screens} screens and reading each availability, at ${latencyMs} ms per response. Sequential reads take ${screens + 1} latencies.`,
      tables: [
        {
          head: ['', 'time, in latencies', 'milliseconds', 'requests', 'refused with 429'],
          rows: [
            [
              'find available screens',
              showSpread(latencies),
              digits(latencies.median * latencyMs),
              digits(Math.max(...runs.map(({ answered }) => answered))),
              digits(refused),
            ],
          ],
        },
      ],
      goals: [
        // 1.5 s.
        atMost('find available screens: time, in latencies', latencies, 30),
        atMost('find available screens: refused with 429', exactly(refused), 0),
        atLeast('find available screens: share of the runs that find the same', exactly(equal), 1),
      ],
    };
  } finally {
    await transport.close();
    service.stop();
  }
};

export default part;

/** Every run starts with an unused rate limit. The first run only warms up. */
async function timesOf(
  service: Worker<Request, Service>,
  open: (access: Service) => Client,
  rounds: number,
) {
  const runs: { ms: number; found: string; answered: number; refused: number }[] = [];
  let access = await service.ask({ latencyMs });
  for (let round = 0; round <= rounds; round += 1) {
    const client = open(access);
    const startedAt = performance.now();
    const { screens: found } = await findAvailableScreens(client, wanted);
    const ms = performance.now() - startedAt;
    access = await service.ask({ latencyMs });
    const { answered, refused } = access;
    const lines = found.map((one) => `${one.screen_id} ${one.total_price_cents}`).join('\n');
    if (round > 0) runs.push({ ms, found: lines, answered, refused });
  }
  return runs;
}

async function oneAfterTheOther(client: Client): Promise<string> {
  const fitting: { id: string; price: number; share: number }[] = [];
  for await (const { id } of client.items(operations['screen.list'])) {
    const answer = await client.screens.availability({ screenId: id, ...period });
    const share = Number(answer.available_sov_pct);
    const price = Number(answer.price_per_day_cents) * days;
    const isFitting = share >= wanted.min_available_sov_pct && price <= wanted.budget_cents;
    if (isFitting) fitting.push({ id, price, share });
  }
  const sorted = fitting.toSorted(
    (one, other) =>
      one.price - other.price || other.share - one.share || (one.id < other.id ? -1 : 1),
  );
  return sorted.map(({ id, price }) => `${id} ${price}`).join('\n');
}
