/** All that this package knows of time. Tests hand in one that they move by hand. */
export interface Clock {
  /**
   * Milliseconds since any moment, for what lasts so long. It must not go back or jump when somebody
   * sets the machine's clock, or calls wait as long as that.
   */
  now(): number;
  /** Milliseconds since 1970-01-01T00:00:00Z, for dates; `now` unless given. */
  date?(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export function dateOf(clock: Clock): number {
  return clock.date ? clock.date() : clock.now();
}
