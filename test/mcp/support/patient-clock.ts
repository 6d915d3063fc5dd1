import type { Clock } from '@screen-advertising/core';

/** Shorter waits are pauses between attempts; longer ones are limits, which no test reaches. */
const minLimitMs = 30_000;

/** A clock on which pauses take no time and time limits never end. */
export function patientClock(): Clock {
  let now = Date.UTC(2027, 2, 1, 9);
  return {
    now: () => now,
    date: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (ms < minLimitMs) {
        now += ms;
        return;
      }
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
}
