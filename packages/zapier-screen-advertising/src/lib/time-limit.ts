export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Must be called when the work is done. */
  stop(): void;
  /** Aborts at once. */
  end(): void;
}

/** Aborts after so many milliseconds. */
export function timeLimit(ms: number): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return {
    signal: controller.signal,
    stop: () => clearTimeout(timer),
    end: () => controller.abort(),
  };
}
