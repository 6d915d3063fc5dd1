import { inRounds, pick, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost, type Goal, type Part } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import { calls } from './calls.ts';
import type { Cost, Task } from './contestant.ts';

/** Short turns, many of them: what else the machine does then strikes all alike. */
const sliceMs = 150;
/**
 * Until V8 has optimised what it will. That depends on how many requests a client has sent, so the
 * time only ends those that are very slow.
 */
const warmUp = { short: { ms: 4_000, requests: 16_000 }, full: { ms: 15_000, requests: 16_000 } };

const limit = 'undici';
/** Each transport of the core, the client below it, and the most that it may cost of that. */
const transports = [
  { ours: 'this client, undici', base: 'undici', bound: 1.29 },
  { ours: 'this client, node:http', base: 'node:http', bound: 1.45 },
  { ours: 'this client, fetch', base: 'fetch', bound: 1.3 },
] as const;
/** Compared with the default; the others with the client over fetch. */
const onNode: readonly string[] = ['stripe'];
const bare: readonly string[] = transports.map(({ base }) => base);
const peers = Object.keys(calls).filter(
  (name) => !bare.includes(name) && !name.startsWith('this client'),
);

const part: Part = async (isShort) => {
  const costs = isShort ? await measure(8, warmUp.short) : await measure(25, warmUp.full);
  const cpu = pick(costs, ({ cpuUs }) => cpuUs);
  const rate = pick(costs, ({ requestsPerSecond }) => requestsPerSecond);
  const cpuRatios = ratiosTo(limit, cpu);
  const rateRatios = ratiosTo(limit, rate);
  const [undici] = transports;
  const goals: Goal[] = [
    ...transports.map(({ ours, base, bound }) =>
      atMost(`CPU of a request, ${ours} to ${base}`, ratiosTo(base, cpu)[ours], bound),
    ),
    atLeast('requests a second at 50 concurrent, to undici', rateRatios[undici.ours], 0.65),
    ...transports.flatMap(({ ours, base }) =>
      peers
        .filter((peer) => base === 'undici' || onNode.includes(peer) === (base === 'node:http'))
        .flatMap((peer) => [
          atMost(`CPU of a request, ${ours} to ${peer}`, ratiosTo(peer, cpu)[ours], 1),
          atLeast(`requests a second, ${ours} to ${peer}`, ratiosTo(peer, rate)[ours], 1),
        ]),
    ),
  ];
  return {
    title: 'Client overhead',
    intro:
      'User lookups over the loopback, 50 at a time. 1 is bare `undici.request` plus reading the JSON. This client authenticates, validates, limits and retries over each of its transports; the others retry where they can.',
    tables: [
      {
        head: ['', 'CPU of a request', 'requests a second', 'microseconds here'],
        rows: Object.keys(calls).map((name) => [
          name,
          showSpread(cpuRatios[name]),
          showSpread(rateRatios[name]),
          digits(spreadOf(cpu[name] ?? []).median),
        ]),
      },
    ],
    goals,
  };
};

export default part;

async function measure(rounds: number, first: Omit<Task, 'port'>): Promise<Record<string, Cost[]>> {
  const server = startWorker<string, number>(siblingPath(import.meta.url, 'server.ts'));
  const port = await server.ask('listen');
  const workers = Object.keys(calls).map(
    (name) =>
      [
        name,
        startWorker<Task, Cost>(siblingPath(import.meta.url, 'contestant.ts'), [name]),
      ] as const,
  );
  const contestants = workers.map(
    ([name, worker]) => [name, () => worker.ask({ port, ms: sliceMs })] as const,
  );
  try {
    for (const [, worker] of workers) await worker.ask({ port, ...first });
    return await inRounds<Cost>(Object.fromEntries(contestants), rounds);
  } finally {
    for (const [, worker] of workers) worker.stop();
    server.stop();
  }
}
