import { createRequire } from 'node:module';
import path from 'node:path';
import { respondToParent } from '../../lib/worker.ts';

export interface LoadCost {
  /** Milliseconds of the processor on the thread that loads: what n8n's start waits for. */
  readonly cpuMs: number;
  readonly heapBytes: number;
}

/** Loads the files of one integration as n8n does at its start, after what n8n itself has loaded. */
const load = createRequire(import.meta.url);
load('reflect-metadata');
load('n8n-core');

respondToParent(async (files: readonly string[]): Promise<LoadCost> => {
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const cpu = process.threadCpuUsage();
  const kept = files.map((file) => {
    // Each file exports a class with the file's name, perhaps among other things.
    const [className = ''] = path.basename(file).split('.');
    const Class = (load(file) as Record<string, new () => object>)[className];
    if (!Class) throw new Error(`${file} exports no ${className}.`);
    return new Class();
  });
  const { user, system } = process.threadCpuUsage(cpu);
  globalThis.gc?.();
  const heapBytes = process.memoryUsage().heapUsed - heap;
  return { cpuMs: (user + system) / 1000, heapBytes: kept.length > 0 ? heapBytes : 0 };
});
