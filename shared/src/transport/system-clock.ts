import type { Clock } from '../clock.ts';
import { onAbort } from '../on-abort.ts';
import { oncePerProcess } from '../once-per-process.ts';

/** Real time, for programs. */
export const systemClock: Clock = oncePerProcess('clock', {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const timer = setTimeout(() => {
        leave();
        resolve();
      }, ms);
      const leave = onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal?.reason);
      });
    }),
});
