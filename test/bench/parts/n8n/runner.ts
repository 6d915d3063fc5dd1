import { Engine } from '../../../n8n/engine/engine.ts';
import { startType } from '../../../n8n/engine/node-types.ts';
import { respondToParent } from '../../lib/worker.ts';
import { addBaseNode, addHttpRequest } from './base-node.ts';
import type { ServiceAccess } from './service.ts';
import { lists, lookUps } from './workflows.ts';

export interface RunTask {
  readonly kind: 'lookUps' | 'lists';
  readonly access: ServiceAccess;
  readonly items: number;
}

export interface RunResult {
  readonly ms: number;
  /** Milliseconds of the processor. */
  readonly cpuMs: number;
  /** Bytes by which the process grew at its peak. */
  readonly grownBytes: number;
  readonly outputs: number;
}

/** Runs one workflow on n8n's engine in a separate process. */
const [name = ''] = process.argv.slice(2);
const engine = await Engine.start({});
const start = { name: 'Start', type: startType, parameters: {} };

respondToParent(async ({ kind, access, items }: RunTask): Promise<RunResult> => {
  engine.credentials.screenAdvertisingApi = { ...access };
  await addHttpRequest(engine);
  await addBaseNode(engine, 'Transform/SplitOut/SplitOut', 'splitOut');
  const nodes = { lookUps, lists }[kind][name]?.nodes(access.baseUrl);
  const last = nodes?.at(-1);
  if (!nodes || !last) throw new Error(`There is no workflow ${name}.`);
  const emails = Array.from({ length: items }, (_, index) => ({
    email: `lead-${index}@x.example`,
  }));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const memory = watchMemory();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const result = await engine.runWorkflow([start, ...nodes], { items: emails });
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  if (result.error) throw result.error;
  return {
    ms,
    cpuMs: (user + system) / 1000,
    grownBytes: memory.peak() - before,
    outputs: result.output(last.name ?? 'Screen Advertising').length,
  };
});

/** Looks often: what the system calls the peak of a process counts that of its parent, too. */
function watchMemory(): { peak(): number } {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const looking = setInterval(look, 2);
  return {
    peak() {
      clearInterval(looking);
      look();
      return peak;
    },
  };
}
