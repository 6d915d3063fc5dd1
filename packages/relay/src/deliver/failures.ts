import { isSuccess } from '../subscribe/targets/post.ts';
import type { Lease, Left } from './leases.ts';

const day = 24 * 3_600_000;
const maxFailingMs = 5 * day;
/** Longer than the longest wait for a retry: in between there was nothing to deliver. */
const silenceMs = 2 * day;
/**
 * After this many failures in a row, nothing gets through, and one attempt at a time finds out when
 * it does again. A subscriber that responds may fail often without being down: at 50 % errors, ten
 * in a row are one in a thousand. One that does not respond costs up to 15 s an attempt.
 */
const failuresBeforePause = { responded: 10, silent: 3 };
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;

interface Attempted {
  readonly status: number | null;
  /** How long the subscriber wants no request. */
  readonly retryAfterMs: number;
  readonly now: number;
}

/** How a subscriber fares: what its attempts say about the next ones. */
export class Failures {
  #count: number;
  #since: number | undefined;
  #lastAt: number | undefined;
  /** How long it gets nothing, once this sender leaves it. */
  #pauseMs = 0;
  /** Why it gets nothing any more. */
  offReason: 'gone' | 'failing' | undefined;

  constructor({ failuresInARow, failingSince, failedAt }: Lease) {
    this.#count = failuresInARow;
    this.#since = failingSince?.getTime();
    this.#lastAt = failedAt?.getTime();
  }

  get hasNone(): boolean {
    return this.#count === 0;
  }

  /** Whether no further attempt may start. */
  get endAttempts(): boolean {
    return this.#pauseMs > 0 || this.offReason !== undefined;
  }

  note({ status, retryAfterMs, now }: Attempted): void {
    if (isSuccess(status)) {
      this.#count = 0;
      this.#since = undefined;
      return;
    }
    this.#count += 1;
    const wasSilent = this.#lastAt !== undefined && now - this.#lastAt > silenceMs;
    if (this.#since === undefined || wasSilent) this.#since = now;
    this.#lastAt = now;
    if (status === 410) this.offReason = 'gone';
    else if (now - this.#since >= maxFailingMs) this.offReason ??= 'failing';
    const wanted = Math.min(retryAfterMs, maxPauseMs);
    this.#pauseMs = Math.max(this.#pauseMs, wanted, pauseAfter(this.#count, status));
  }

  left(now: number): Left {
    const pauseMs = this.offReason === undefined ? this.#pauseMs : 0;
    return {
      failuresInARow: this.#count,
      failingSince: dateOf(this.#since),
      failedAt: dateOf(this.#lastAt),
      pausedUntil: pauseMs > 0 ? new Date(now + pauseMs) : null,
    };
  }
}

/** A subscriber that is down gets fewer and fewer attempts, but at least one a minute. */
function pauseAfter(failures: number, status: number | null): number {
  const { responded, silent } = failuresBeforePause;
  const excess = failures - (status === null ? silent : responded);
  return excess < 0 ? 0 : Math.min(firstPauseMs * 2 ** excess, maxPauseMs);
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}
