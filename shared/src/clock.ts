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
export function currentTimeMs(clock: Clock): number {
  return clock.date ? clock.date() : clock.now();
}

/**
 * One value per process, such as what belongs to a clock, also if it has this package twice, as with
 * `import` beside `require` in one bundle. Worker threads have their own.
 */
export function oncePerProcess<Value>(name: string, value: Value): Value {
  const all = globalThis as Record<symbol, unknown>;
  const key = Symbol.for(`screen-advertising ${name}`);
  all[key] ??= value;
  return all[key] as Value;
}
