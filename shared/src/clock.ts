/** Source of time. Inject a fake one in tests. */
export interface Clock {
  /**
   * Milliseconds since any fixed moment, to measure durations. It must not jump when the machine's
   * clock is set, or calls wait that much longer.
   */
  now(): number;
  /** Milliseconds since 1970-01-01T00:00:00Z, for dates. Default: `now`. */
  date?(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds since 1970-01-01T00:00:00Z. */
export function timestampOf(clock: Clock): number {
  return clock.date ? clock.date() : clock.now();
}
