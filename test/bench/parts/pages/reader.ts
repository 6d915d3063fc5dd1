import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey, createClient, operations } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { respondToParent } from '../../lib/worker.ts';
import { pageSize } from './screens.ts';

export interface ReadTask {
  readonly port: number;
  /** Milliseconds that the reader spends on each page. */
  readonly consumeMs: number;
  /** Collects garbage after every so many pages and looks at the heap; 0 for never. */
  readonly heapEvery: number;
}

export interface ReadResult {
  readonly items: number;
  readonly ms: number;
  /** Milliseconds of the processor for each page. */
  readonly cpuPerPage: readonly number[];
  /** Bytes of the heap in use, after garbage collection, at each look and after the list. */
  readonly heaps: readonly number[];
  readonly heapAfter: number;
}

const list = operations['screen.list'];

respondToParent(async ({ port, consumeMs, heapEvery }: ReadTask): Promise<ReadResult> => {
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    auth: apiKey('svc_key_of_the_benchmark'),
    transport: undiciTransport(),
    rateLimit: { requests: 100_000, perMs: 1000 },
  });
  const cpuPerPage: number[] = [];
  const heaps: number[] = [];
  const startedAt = performance.now();
  let cpu = process.cpuUsage();
  let items = 0;
  for await (const _screen of client.items(list)) {
    items += 1;
    if (items % pageSize !== 0) continue;
    const used = process.cpuUsage(cpu);
    cpuPerPage.push((used.user + used.system) / 1000);
    if (consumeMs > 0) await sleep(consumeMs);
    if (heapEvery > 0 && cpuPerPage.length % heapEvery === 0) heaps.push(heapNow());
    cpu = process.cpuUsage();
  }
  const ms = performance.now() - startedAt;
  return { items, ms, cpuPerPage, heaps, heapAfter: heapNow() };
});

function heapNow(): number {
  // A collection that was under way keeps what has died since it began: the second one does not.
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
