import { refusal, wrongArgument } from './arguments.ts';

/**
 * Seconds. The last retry arrives 756 s after the first attempt (section 6) and may carry its
 * timestamp, so a much lower value would refuse valid deliveries.
 */
export const defaultToleranceSeconds = 900;

export interface Freshness {
  /** Seconds that a timestamp may differ from now, in either direction. Default: 900. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970-01-01T00:00:00Z. Default: the machine's time. */
  readonly now?: (() => number) | undefined;
}

/** Throws WebhookVerificationError when the timestamp is too old, or too far in the future. */
export function checkFreshness(
  timestamp: number,
  { toleranceSeconds = defaultToleranceSeconds, now = Date.now }: Freshness,
): void {
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw wrongArgument('toleranceSeconds must be a number of seconds, 0 or more.');
  }
  const nowMs: unknown = typeof now === 'function' ? now() : undefined;
  if (typeof nowMs !== 'number' || !Number.isFinite(nowMs)) {
    throw wrongArgument('now must be a function that returns milliseconds since 1970.');
  }
  const age = Math.floor(nowMs / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return;
  const distance = `${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}`;
  throw refusal(
    'timestamp_out_of_tolerance',
    `The delivery was signed ${distance}, but the tolerance is ${toleranceSeconds} s. If it is not a replay, check the clock of this machine.`,
  );
}
