import type { SandboxOptions } from '@screen-advertising/sandbox';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, type Part } from '../../lib/section.ts';
import { digits, exactly, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import { nodesBase, nodesBasePath } from './nodes-base.ts';
import type { RunTask } from './runner.ts';
import type { ServiceAccess } from './service.ts';
import { lookUps } from './workflows.ts';

const ours = 'this node';
const fastest = 'this node, concurrency 500';
const best = 'HTTP Request, all at once';
const batching = 'HTTP Request, batching as n8n sets it';
const latencyMs = 100;
/** More than the service allows in a minute. */
const many = 700;

const part: Part = async (isShort) => {
  await nodesBase();
  // Read by the processes that are started from here on.
  process.env.NODE_PATH = nodesBasePath;
  const items = isShort ? 100 : 500;
  const times = await timesOf(items, isShort ? 1 : 3);
  const ratios = ratiosTo(ours, times);
  const found = await foundOf(many);
  return {
    title: 'n8n',
    intro: `On n8n's engine, each workflow in its own process; 1 is this node with its defaults. ${digits(items)} lookups at ${latencyMs} ms of latency: this node runs 100 at once, HTTP Request all at once, or 50 a second with n8n's default batching. Then, ${many} lookups against 600 per minute.`,
    tables: [
      {
        head: ['lookups', 'ratio', 'milliseconds here', `of ${many} found`],
        rows: Object.keys(lookUps).map((name) => [
          name,
          showSpread(ratios[name]),
          digits(spreadOf(times[name] ?? []).median),
          digits(found[name] ?? Number.NaN),
        ]),
      },
    ],
    goals: [
      atLeast(`lookups: ${batching}, to ${ours}`, ratios[batching], 5),
      atLeast(`lookups: ${best}, its best, to ${fastest}`, ratiosTo(fastest, times)[best], 1),
      // By default, 500 lookups take this node five latencies, and all at once take one: it may
      // take twice as long. A short run has too few lookups to show this.
      ...(isShort ? [] : [atLeast(`lookups: ${best}, to ${ours}`, ratios[best], 0.5)]),
      atLeast(`share of ${many} lookups that succeeded`, exactly((found[ours] ?? 0) / many), 1),
    ],
  };
};

export default part;

/** Every workflow in a process that stays, after one run to warm up. */
async function timesOf(items: number, rounds: number): Promise<Record<string, number[]>> {
  const service = startWorker<SandboxOptions, ServiceAccess>(
    siblingPath(import.meta.url, 'service.ts'),
  );
  const runner = siblingPath(import.meta.url, 'runner.ts');
  const workers = Object.keys(lookUps).map(
    (name) => [name, startWorker<RunTask, number>(runner, [name])] as const,
  );
  const contestants = workers.map(([name, worker]) => [
    name,
    // A new service for every run, since this node keeps the limit of one over all of its runs.
    async () => worker.ask({ access: await service.ask({ latencyMs }), items }),
  ]);
  try {
    return await inRounds<number>(Object.fromEntries(contestants), rounds);
  } finally {
    for (const [, worker] of workers) worker.stop();
    service.stop();
  }
}

async function foundOf(items: number): Promise<Readonly<Record<string, number>>> {
  const worker = startWorker<number, Record<string, number>>(
    siblingPath(import.meta.url, 'limits.ts'),
  );
  try {
    return await worker.ask(items);
  } finally {
    worker.stop();
  }
}
