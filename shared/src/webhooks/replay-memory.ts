import { refuseUnknownOptions } from '#habits';
import { ConfigurationError } from '../errors/error-classes.ts';
import { defaultToleranceSeconds } from './verify-signature.ts';

export interface ReplayMemoryOptions {
  /** Milliseconds since 1970-01-01T00:00:00Z. Default: the machine's time. */
  readonly now?: () => number;
  /**
   * How long a key is kept. Default: 1801. To prevent any replay, use at least twice the verifier's
   * tolerance plus one second: a sender's clock may be ahead by the tolerance, and the verifier
   * compares whole seconds. The default is also longer than the retries take (section 6).
   */
  readonly retentionSeconds?: number;
  /** When full, it forgets the oldest key: a duplicate may then pass, but no event gets lost. */
  readonly maxEntries?: number;
  /** The result of `entries()` of an earlier memory. */
  readonly entries?: Iterable<readonly [key: string, claimedAt: number]>;
}

const optionNames = ['now', 'retentionSeconds', 'maxEntries', 'entries'];

/** Remembers deliveries, so that each event is processed once. */
export interface ReplayMemory {
  /**
   * True for the first delivery of an event, which the caller then processes; false for duplicates.
   */
  claim(key: string): boolean;
  /** Whether an event was claimed, without claiming it. */
  has(key: string): boolean;
  /** Adds the `entries()` of another memory, except keys that are already known or expired. */
  add(entries: Iterable<readonly [key: string, claimedAt: number]>): void;
  /** Forgets a key whose processing failed, so that the next delivery of the event is accepted. */
  release(key: string): void;
  /** Everything still remembered, as plain JSON to store: keys and milliseconds. */
  entries(): [key: string, claimedAt: number][];
}

/**
 * Separates the first delivery of an event from its duplicates, by the key that `eventKey` returns.
 * Claim only verified deliveries, and respond to a duplicate with 2xx so that the service stops
 * retrying.
 */
export function createReplayMemory(options: ReplayMemoryOptions = {}): ReplayMemory {
  refuseUnknownOptions(options, 'createReplayMemory', optionNames);
  const {
    now = Date.now,
    retentionSeconds = 2 * defaultToleranceSeconds + 1,
    maxEntries = 10_000,
    entries = [],
  } = options;
  if (!Number.isFinite(retentionSeconds) || retentionSeconds <= 0) {
    const needs = 'retentionSeconds must be a number of seconds above 0.';
    throw new ConfigurationError('retentionSeconds', needs);
  }
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new ConfigurationError('maxEntries', 'maxEntries must be a whole number, 1 or more.');
  }
  const claims = new Map(entries);

  // Setting the clock back a little must not make every key new.
  const isLive = (claimedAt: number) => Math.abs(now() - claimedAt) < retentionSeconds * 1000;

  /** A Map keeps the order of insertion, so the oldest keys are first. */
  function forgetOld(): void {
    for (const [key, claimedAt] of claims) {
      if (isLive(claimedAt) && claims.size <= maxEntries) return;
      claims.delete(key);
    }
  }

  function has(key: string): boolean {
    const claimedAt = claims.get(key);
    return claimedAt !== undefined && isLive(claimedAt);
  }

  function remember(key: string, claimedAt: number): void {
    claims.delete(key);
    claims.set(key, claimedAt);
    forgetOld();
  }

  return {
    has,
    claim(key) {
      if (has(key)) return false;
      remember(key, now());
      return true;
    },
    add(entries) {
      for (const [key, claimedAt] of entries) {
        if (isLive(claimedAt) && !has(key)) remember(key, claimedAt);
      }
    },
    release(key) {
      claims.delete(key);
    },
    entries() {
      forgetOld();
      return [...claims];
    },
  };
}
