/** What a program that ran for a while still holds. */
export interface Held {
  /** Bytes in use after each round, once everything that can go has gone. */
  readonly heap: readonly number[];
  /** What would keep the process alive after all was closed, as Node names it. */
  readonly resources: readonly string[];
  /** How many calls were made. */
  readonly calls: number;
}

/** Runs the rounds, closes, and prints what is held as JSON. Needs `--expose-gc`. */
export async function watchMemory(
  rounds: number,
  round: () => Promise<number>,
  close: () => Promise<unknown>,
): Promise<void> {
  const heap: number[] = [];
  let calls = 0;
  for (let nth = 0; nth < rounds; nth += 1) {
    calls += await round();
    heap.push(await heapUsed());
  }
  await close();
  await quiet();
  const held: Held = { heap, calls, resources: process.getActiveResourcesInfo().filter(isOurs) };
  process.stdout.write(`\n${JSON.stringify(held)}\n`, () => process.exit());
}

async function heapUsed(): Promise<number> {
  if (!globalThis.gc) throw new Error('Start this with --expose-gc.');
  await quiet();
  globalThis.gc();
  await quiet();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Lets what was closed just now say so. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

/** The streams of the process are not. */
function isOurs(resource: string): boolean {
  return !['PipeWrap', 'TTYWrap', 'Immediate', 'FSReqCallback'].includes(resource);
}
