import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '../../lib/spread.ts';
import { now } from './now.ts';

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

/** Begins so many a second, whether the ones before have ended or not, until it is enough. */
export async function paced(
  perSecond: number,
  isEnough: (begun: number) => boolean,
  work: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const running: Promise<unknown>[] = [];
  while (!isEnough(running.length)) {
    const wanted = startedAt + (running.length * 1000) / perSecond;
    const ahead = wanted - performance.now();
    if (ahead > 0) await wait(ahead);
    running.push(work());
  }
  await Promise.all(running);
  return running.length;
}
