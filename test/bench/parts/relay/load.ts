import { percentile } from '../../lib/spread.ts';

export interface Turn {
  readonly perSecond: number;
  /** Milliseconds that all but one in a hundred took at most. */
  readonly p99: number;
}

const concurrency = 32;

/** So many pieces of work, 32 at a time. */
export async function atOnce(count: number, work: () => Promise<unknown>): Promise<Turn> {
  const times: number[] = [];
  let begun = 0;
  const startedAt = now();
  const one = async () => {
    while (begun < count) {
      begun += 1;
      const before = now();
      await work();
      times.push(now() - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return { perSecond: perSecondSince(startedAt, count), p99: percentile(times, 0.99) };
}

export function perSecondSince(startedAt: number, count: number): number {
  return (count / (now() - startedAt)) * 1000;
}

/** Milliseconds since 1970 with their fractions, the same in every process. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
