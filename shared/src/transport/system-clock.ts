import { onAbort } from '../abort.ts';
import { type Clock, oncePerProcess } from '../clock.ts';

/** Real time, for programs. */
export const systemClock: Clock = oncePerProcess('clock', {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
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
