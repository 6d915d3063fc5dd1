import { respondToParent } from '../../lib/worker.ts';
import { calls } from './calls.ts';

export interface Task {
  readonly port: number;
  readonly ms: number;
  /** Ends after so many, even if there is time left. Default: no limit. */
  readonly requests?: number;
}

export interface Cost {
  /** Microseconds of the processor for one request, garbage collection included. */
  readonly cpuUs: number;
  readonly requestsPerSecond: number;
}

const concurrency = 50;
const [name = ''] = process.argv.slice(2);
let call: (() => Promise<unknown>) | undefined;

respondToParent(async ({ port, ms, requests = Number.POSITIVE_INFINITY }: Task): Promise<Cost> => {
  call ??= calls[name]?.(port);
  if (!call) throw new Error(`There is no client ${name}.`);
  const send = call;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let count = 0;
  const work = async () => {
    while (performance.now() - startedAt < ms && count < requests) {
      await send();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - startedAt) / 1000;
  return { cpuUs: (user + system) / count, requestsPerSecond: count / seconds };
});
