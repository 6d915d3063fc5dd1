import { atLeast, atMost, type Goal, type Part } from '../../lib/section.ts';
import { digits, exactly } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { Outcome, Task } from './caller.ts';
import type { Service } from './service.ts';

interface Case {
  readonly processes: number;
  readonly calls: number;
}

interface Result extends Outcome {
  readonly what: string;
  readonly total: number;
  readonly seconds: number;
  /** The time that passed to the time that must pass at least. */
  readonly ratio: number;
}

const requests = 600;
/** As in the contract: with a shorter one, what processes send before they hear of a refusal weighs more. */
const perMs = 60_000;
const cases: readonly Case[] = [
  { processes: 1, calls: 1800 },
  { processes: 4, calls: 500 },
  { processes: 4, calls: 1500 },
  { processes: 12, calls: 500 },
];

const part: Part = async () => {
  // They wait most of the time, so they do it together; their starts, which do not, are set apart.
  const results = await Promise.all(
    cases.map(async (one, nth) => {
      await new Promise((resolve) => setTimeout(resolve, nth * 5000));
      return runCase(one);
    }),
  );
  return {
    title: 'One access, several processes',
    intro: `Unconnected processes share one access for concurrent lookups in real time, where the service allows ${requests} per minute. 1 is the minimum number of windows.`,
    tables: [
      {
        head: ['', 'time, to the ideal', 'seconds', 'refused with 429, of those sent', 'lost'],
        rows: results.map(({ what, ratio, seconds, refused, sent, lost }) => [
          what,
          digits(ratio),
          digits(seconds),
          `${digits(refused)} of ${digits(sent)}`,
          digits(lost),
        ]),
      },
    ],
    goals: results.flatMap(goalsOf),
  };
};

export default part;

function goalsOf({ what, total, ratio, refused, sent, lost }: Result): Goal[] {
  const kept = atLeast(
    `${what}: share of the requests that succeeded`,
    exactly(1 - lost / total),
    1,
  );
  if (total === 1800) {
    const share = atLeast(`${what}: share of the rate limit`, exactly(1 / ratio), 0.98);
    return [kept, share, atMost(`${what}: refused with 429`, exactly(refused), 0)];
  }
  if (total > 2000) return [kept, atMost(`${what}: time, to the ideal`, exactly(ratio), 1.25)];
  return [
    kept,
    atMost(`${what}: time, to the ideal`, exactly(ratio), 1.15),
    atMost(`${what}: share refused with 429`, exactly(refused / sent), 0.1),
  ];
}

async function runCase({ processes, calls }: Case): Promise<Result> {
  const host = startWorker<null, Service>(siblingPath(import.meta.url, 'service.ts'));
  const callers = Array.from({ length: processes }, () =>
    startWorker<Task, Outcome>(siblingPath(import.meta.url, 'caller.ts')),
  );
  try {
    const service = await host.ask(null);
    // Nothing to do: it only waits until each of them has started.
    const idle = { service, calls: 0 };
    await Promise.all(callers.map((caller) => caller.ask(idle)));
    const startedAt = performance.now();
    const outcomes = await Promise.all(callers.map((caller) => caller.ask({ ...idle, calls })));
    const ms = performance.now() - startedAt;
    const total = processes * calls;
    const of = (pick: keyof Outcome) => outcomes.reduce((sum, outcome) => sum + outcome[pick], 0);
    return {
      what: `${processes} × ${digits(calls)} requests`,
      total,
      seconds: ms / 1000,
      ratio: ms / ((Math.ceil(total / requests) - 1) * perMs),
      sent: of('sent'),
      refused: of('refused'),
      lost: of('lost'),
    };
  } finally {
    for (const worker of [host, ...callers]) worker.stop();
  }
}
