import type { SandboxOptions } from '@screen-advertising/sandbox';
import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atLeast, atMost, type Part, type Table } from '../../lib/section.ts';
import { digits, exactly, showSpread, spreadOf } from '../../lib/spread.ts';
import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { LimitsResult, LimitsTask } from './limits.ts';
import type { LoadCost } from './loader.ts';
import { nodesBase, nodesBasePath } from './nodes-base.ts';
import { packages } from './packages.ts';
import type { RunResult, RunTask } from './runner.ts';
import type { ServiceAccess } from './service.ts';
import { lists, lookUps } from './workflows.ts';

type Workflows = typeof lookUps;

const ours = 'this node';
const fastest = 'this node, concurrency 500';
const best = 'HTTP Request, all at once';
const batching = 'HTTP Request, batching as n8n sets it';
const paginated = 'HTTP Request, pagination and Split Out';
const latencyMs = 100;
/** More than the service allows in a minute. */
const limits: LimitsTask = { items: 700, runs: 3 };

const part: Part = async ({ isShort }) => {
  await nodesBase();
  // Read by the processes that are started from here on.
  process.env.NODE_PATH = nodesBasePath;
  const items = isShort ? 100 : 500;
  const screens = isShort ? 4000 : 20_000;
  const service = startWorker<SandboxOptions, ServiceAccess>(
    siblingPath(import.meta.url, 'service.ts'),
  );
  try {
    // A new service for every run, since this node keeps the limit of one over all of its runs.
    const lookUpTask = async (): Promise<RunTask> => {
      return { kind: 'lookUps', access: await service.ask({ latencyMs }), items };
    };
    const lookedUp = await kept(lookUps, lookUpTask, isShort ? 1 : 3);
    const listAccess = await service.ask({ screens });
    const listTask: RunTask = { kind: 'lists', access: listAccess, items: 1 };
    const listed = await inRounds(cold(lists, listTask), isShort ? 1 : 3, 0);
    const { came, tokens } = await limitsOf();
    const loaded = await inRounds(await loads(), isShort ? 1 : 9, 0);
    const times = pick(lookedUp, ({ ms }) => ms);
    const memory = pick(listed, ({ grownBytes }) => grownBytes);
    const listTimes = pick(listed, ({ ms }) => ms);
    const cpu = pick(loaded, ({ cpuMs }) => cpuMs);
    const heap = pick(loaded, ({ heapBytes }) => heapBytes);
    const own = 'this package';
    return {
      title: 'n8n',
      intro: `On n8n's engine, each workflow in its own process; 1 is this node with its defaults. First, ${digits(items)} lookups at ${latencyMs} ms of latency: this node runs 100 at once, HTTP Request all at once, or 50 a second with n8n's default batching. Then, ${limits.items} lookups against 600 per minute, and token requests in ${limits.runs} runs within the token's hour. Then, all of ${digits(screens)} screens: time and peak growth of the process. Last, CPU of the loading thread and heap for loading an integration.`,
      tables: [
        table('lookups', ratiosTo(ours, times), times, 'milliseconds here'),
        counts(`of ${limits.items} lookups`, 'came', came),
        counts(`${limits.runs} runs`, 'requests for a token', tokens),
        table('time for all screens', ratiosTo(ours, listTimes), listTimes, 'milliseconds here'),
        table('memory for all screens', ratiosTo(ours, memory), memory, 'bytes here'),
        table('CPU to load', ratiosTo(own, cpu), cpu, 'milliseconds here'),
        table('heap when loaded', ratiosTo(own, heap), heap, 'bytes here'),
      ],
      goals: [
        atLeast(`lookups: ${batching}, to ${ours}`, ratiosTo(ours, times)[batching], 5),
        atLeast(`lookups: ${best}, its best, to ${fastest}`, ratiosTo(fastest, times)[best], 1),
        // By default, 500 lookups take this node five latencies, and all at once take one: it may
        // take twice as long. A short run has too few lookups to show this.
        ...(isShort
          ? []
          : [atLeast(`lookups: ${best}, to ${ours}`, ratiosTo(ours, times)[best], 0.5)]),
        atLeast(
          `share of ${limits.items} lookups that succeeded`,
          exactly((came[ours] ?? 0) / limits.items),
          1,
        ),
        atMost(
          'requests for a token, to HTTP Request',
          exactly((tokens[ours] ?? Number.NaN) / (tokens['HTTP Request'] ?? Number.NaN)),
          0.5,
        ),
        atMost('memory for all screens, to its pagination', ratiosTo(paginated, memory)[ours], 1),
        ...Object.keys(cpu)
          .filter((name) => name !== own)
          .flatMap((name) => [
            atMost(`CPU to load, to ${name}`, ratiosTo(name, cpu)[own], 1),
            atMost(`heap when loaded, to ${name}`, ratiosTo(name, heap)[own], 1),
          ]),
        atLeast('share of the screens that arrived', shareOf(listed, screens), 1),
      ],
    };
  } finally {
    service.stop();
  }
};

export default part;

function shareOf(listed: Record<string, RunResult[]>, screens: number) {
  const counts = (listed[ours] ?? []).map(({ outputs }) => outputs);
  // Some screens of the sandbox cannot be booked, and the other node gets the same ones.
  const expected = (listed[paginated] ?? []).map(({ outputs }) => outputs);
  return exactly(Math.min(...counts) / Math.min(screens, ...expected));
}

/** Every workflow in a process that stays, after one run to warm up. */
async function kept(workflows: Workflows, task: () => Promise<RunTask>, rounds: number) {
  const workers = Object.keys(workflows).map((name) => ({ name, worker: runner(name) }));
  try {
    const contestants = workers.map(({ name, worker }) => [
      name,
      async () => worker.ask(await task()),
    ]);
    return await inRounds<RunResult>(Object.fromEntries(contestants), rounds);
  } finally {
    for (const { worker } of workers) worker.stop();
  }
}

/** Each run gets a separate process, so its peak memory is only its own. */
function cold(workflows: Workflows, task: RunTask): Record<string, () => Promise<RunResult>> {
  const contestants = Object.keys(workflows).map((name) => [
    name,
    async () => {
      const worker = runner(name);
      try {
        return await worker.ask(task);
      } finally {
        worker.stop();
      }
    },
  ]);
  return Object.fromEntries(contestants);
}

function runner(name: string) {
  return startWorker<RunTask, RunResult>(siblingPath(import.meta.url, 'runner.ts'), [name]);
}

async function loads() {
  const contestants = Object.entries(await packages()).map(([name, files]) => [
    name,
    async () => {
      const worker = startWorker<readonly string[], LoadCost>(
        siblingPath(import.meta.url, 'loader.ts'),
      );
      try {
        return await worker.ask(files);
      } finally {
        worker.stop();
      }
    },
  ]);
  return Object.fromEntries(contestants) as Record<string, () => Promise<LoadCost>>;
}

function pick<Sample>(samples: Record<string, Sample[]>, value: (sample: Sample) => number) {
  return Object.fromEntries(
    Object.entries(samples).map(([name, values]) => [name, values.map(value)]),
  );
}

async function limitsOf(): Promise<LimitsResult> {
  const worker = startWorker<LimitsTask, LimitsResult>(siblingPath(import.meta.url, 'limits.ts'));
  try {
    return await worker.ask(limits);
  } finally {
    worker.stop();
  }
}

function counts(what: string, unit: string, values: Readonly<Record<string, number>>): Table {
  const rows = Object.entries(values).map(([name, value]) => [name, digits(value)]);
  return { head: [what, unit], rows };
}

function table(
  what: string,
  ratios: ReturnType<typeof ratiosTo>,
  values: Record<string, number[]>,
  unit: string,
): Table {
  return {
    head: [what, 'ratio', unit],
    rows: Object.keys(values).map((name) => [
      name,
      showSpread(ratios[name]),
      digits(spreadOf(values[name] ?? []).median),
    ]),
  };
}
