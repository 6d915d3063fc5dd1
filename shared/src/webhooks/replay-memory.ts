import { ConfigurationError } from '../errors/configuration-error.ts';
import { defaultToleranceSeconds } from './tolerance.ts';

export interface ReplayMemoryOptions {
  /** Milliseconds since 1970-01-01T00:00:00Z; the machine's time unless given. */
  readonly now?: () => number;
  /**
   * How long a key is kept; 1801 unless given. At least twice the tolerance of the verifier and a
   * second, so that nothing can be replayed: a sender's clock may be ahead by the tolerance, and
   * the verifier compares whole seconds. That is also more than the retries take (section 6).
   */
  readonly retentionSeconds?: number;
  /** Beyond it the oldest key is forgotten: a repeat may pass then, an event never gets lost. */
  readonly maxEntries?: number;
  /** What `entries()` of an earlier memory gave. */
  readonly entries?: Iterable<readonly [key: string, claimedAt: number]>;
}

/** Remembers deliveries, so that an event is worked on once. */
export interface ReplayMemory {
  /** True for the first delivery of an event, which the caller now works on; false for repeats. */
  claim(key: string): boolean;
  /** Whether an event was claimed, without claiming it. */
  has(key: string): boolean;
  /** Takes over what another memory gave as `entries()`, without what this one knows or is past. */
  add(entries: Iterable<readonly [key: string, claimedAt: number]>): void;
  /** Forgets a key whose work failed, so that the next delivery of the event is taken. */
  release(key: string): void;
  /** Everything that is still remembered, as plain JSON to store: keys and milliseconds. */
  entries(): [key: string, claimedAt: number][];
}

/**
 * Tells the first delivery of an event from its repeats, by the key that `eventKey` gives. Claim
 * only what was verified, and answer a repeat with 2xx so that the service stops retrying.
 */
export function createReplayMemory({
  now = Date.now,
  retentionSeconds = 2 * defaultToleranceSeconds + 1,
  maxEntries = 10_000,
  entries = [],
}: ReplayMemoryOptions = {}): ReplayMemory {
  if (!Number.isFinite(retentionSeconds) || retentionSeconds <= 0) {
    throw new ConfigurationError(
      'retentionSeconds',
      'retentionSeconds must be a number of seconds above 0.',
    );
  }
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new ConfigurationError('maxEntries', 'maxEntries must be a whole number, 1 or more.');
  }
  const claims = new Map(entries);

  // A clock that is set back a little must not make every key new.
  const isLive = (claimedAt: number) => Math.abs(now() - claimedAt) < retentionSeconds * 1000;

  /** A Map keeps the order in which keys came, so the oldest come first. */
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
