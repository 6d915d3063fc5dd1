export interface CallWindow {
  /** Counts a request. Returns the milliseconds to wait if it is over the limit, otherwise 0. */
  take(key: string, now: number): number;
  clear(): void;
}

/** Allows `requests` in any span of `perMs`. */
export function slidingWindow(requests: number, perMs: number): CallWindow {
  const calls = new Map<string, number[]>();
  return {
    take(key, now) {
      const recent = (calls.get(key) ?? []).filter((at) => at > now - perMs);
      calls.set(key, recent);
      const oldest = recent[recent.length - requests];
      if (oldest !== undefined) return oldest + perMs - now;
      recent.push(now);
      return 0;
    },
    clear: () => calls.clear(),
  };
}

/** Allows `requests` in each span of `perMs` that starts on a multiple of it. */
export function fixedWindow(requests: number, perMs: number): CallWindow {
  const calls = new Map<string, { start: number; count: number }>();
  return {
    take(key, now) {
      const start = now - (now % perMs);
      const current = calls.get(key);
      const count = current?.start === start ? current.count : 0;
      if (count >= requests) return start + perMs - now;
      calls.set(key, { start, count: count + 1 });
      return 0;
    },
    clear: () => calls.clear(),
  };
}
