import { apiKey, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox, type RateLimitOptions } from '@screen-advertising/sandbox';
import { atLeast, atMost, type Part } from '../../lib/section.ts';
import { digits, exactly } from '../../lib/spread.ts';
import { SimulatedTime } from './simulated-time.ts';

interface Case {
  readonly what: string;
  readonly window: NonNullable<RateLimitOptions['window']>;
  readonly processes: number;
}

const cases: readonly Case[] = [
  { what: 'sliding window', window: 'sliding', processes: 1 },
  { what: 'fixed window', window: 'fixed', processes: 1 },
  { what: 'sliding window, two processes', window: 'sliding', processes: 2 },
];

const perMinute = 600;
/** The n8n node's setting: waits out a 429, however long the queue is. */
const maxWaitMs = 15 * 60_000;

const part: Part = async ({ isShort }) => {
  const operations = isShort ? 1200 : 3000;
  const results = [];
  for (const one of cases) results.push({ ...one, ...(await runCase(one, operations)) });
  return {
    title: 'Using the rate limit',
    intro: `${digits(operations)} concurrent lookups on a simulated clock, where the service allows ${perMinute} per minute. The share of the rate limit is the minimum time divided by the actual time.`,
    tables: [
      {
        head: ['', 'share of the rate limit', 'refused with 429', 'succeeded'],
        rows: results.map(({ what, share, refused, succeeded }) => [
          what,
          digits(share),
          digits(refused),
          digits(succeeded),
        ]),
      },
    ],
    goals: results.flatMap(({ what, processes, share, refused, succeeded }) => [
      atLeast(`${what}: share of the work that succeeded`, exactly(succeeded / operations), 1),
      ...(processes === 1
        ? [
            atLeast(`${what}: share of the rate limit`, exactly(share), 0.98),
            atMost(`${what}: refused with 429`, exactly(refused), 0),
          ]
        : []),
    ]),
  };
};

export default part;

async function runCase({ window, processes }: Case, operations: number) {
  // In the middle of a minute, where a fixed window is furthest from a sliding one.
  const startAt = '2027-03-01T09:00:30Z';
  const rateLimit = { requests: perMinute, window };
  const sandbox = createSandbox({ clock: 'frozen', startAt, rateLimit });
  const { baseUrl } = await sandbox.listen();
  const transport = undiciTransport();
  const time = new SimulatedTime(sandbox);
  const startedAt = time.now();
  let refused = 0;
  let succeeded = 0;
  const clients = Array.from({ length: processes }, () => {
    const watched = time.watch(transport, time.newClock());
    return createClient({
      baseUrl,
      auth: apiKey(sandbox.accesses[0].apiKey),
      retry: { maxWaitMs },
      transport: {
        ...watched,
        async send(request) {
          const response = await watched.send(request);
          if (response.status === 429) refused += 1;
          return response;
        },
      },
    });
  });
  const lookUp = async (index: number) => {
    const client = clients[index % clients.length];
    await client?.users.lookup({ email: `lead-${index}@example.com` });
    succeeded += 1;
  };
  const work = Array.from({ length: operations }, (_, index) => lookUp(index));
  await time.run(Promise.allSettled(work));
  const passedMs = time.now() - startedAt;
  await transport.close();
  await sandbox.close();
  return { share: ((operations / perMinute - 1) * 60_000) / passedMs, refused, succeeded };
}
