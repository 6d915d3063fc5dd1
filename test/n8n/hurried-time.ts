/** Longer than any pause before a retry: a limit that a test does not reach. */
const limitMs = 30_000;

/** A pause takes no time, and no limit is ever reached. */
export async function noSleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= limitMs) return;
  await new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * A clock on which waits take no time: the limiter spreads nothing, so all requests go out at once.
 */
export function hurriedTime() {
  let now = Date.now();
  return {
    now: () => now,
    date: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      await noSleep(ms, signal);
      now += Math.max(0, ms);
    },
  };
}
