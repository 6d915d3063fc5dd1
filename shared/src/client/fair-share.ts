/** How many requests an access may send: `requests` in any `perMs` milliseconds. */
export interface RateLimit {
  /** The limit of all processes that share the access, or this process's share. Default: 600. */
  readonly requests?: number;
  /** Milliseconds that the limit is for. Default: 60,000. */
  readonly perMs?: number;
  /** Requests in flight at once. Default: a fifteenth of `requests`, and at least 40. */
  readonly maxConcurrent?: number;
  /**
   * Requests of each window that are kept for clients that have sent fewer than five: a short task
   * then need not wait until a long one's requests expire. Default: 0.
   */
  readonly reserved?: number;
}

/** A limit with the defaults filled in. */
export interface ExactLimit extends RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** The part of its granted requests that a process retains after a refusal; others get the rest. */
const retainedShare = 0.9;
/** Windows in which a share grows from nothing to the whole limit. */
const growthWindows = 0.5;
/** The part of a window over which requests are spread, to notice other processes in time. */
const spread = 0.01;
/** Requests that need no spreading. */
const burst = 50;
/**
 * The part of a window's requests that may be in flight, 40 of 600. The service refuses that many
 * at once when other processes have used up the limit.
 */
const concurrentPart = 1 / 15;
const minConcurrent = 40;
/** The longest pause, in windows: one mistake of the service must not block an access for a day. */
const maxPause = 2;
/** Processes resume at different moments within this part of a window after a pause. */
const jitter = 0.02;

/**
 * How much of an access's limit this process uses. Other processes share the limit, but cannot be
 * seen. A process starts with the whole limit, cuts back to most of what it was granted when it is
 * refused, and grows again until the next refusal. A process with a larger share gives up more, so
 * the shares even out.
 */
export class FairShare {
  readonly #limit: ExactLimit;
  /** Milliseconds between two requests, and until the share grows by one slot. */
  readonly #gapMs: number;
  readonly #growthMs: number;
  /** Slots at the end of the last pause; the share grows from there. */
  #slots: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #jitterMs = 0;
  /** Requests that may be in flight. After a pause, a single request goes first to find out. */
  readonly #maxConcurrent: number;
  #concurrency = Number.POSITIVE_INFINITY;
  #pacedUntil = Number.NEGATIVE_INFINITY;

  constructor(limit: ExactLimit) {
    this.#limit = limit;
    this.#gapMs = (limit.perMs * spread) / limit.requests;
    this.#growthMs = (limit.perMs * growthWindows) / limit.requests;
    this.#slots = limit.requests;
    this.#maxConcurrent =
      limit.maxConcurrent ?? Math.max(minConcurrent, limit.requests * concurrentPart);
  }

  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Records that a request is sent. */
  send(now: number): void {
    this.#pacedUntil = Math.max(this.#pacedUntil, now) + this.#gapMs;
  }

  /** Records that the service accepted a request. */
  grant(now: number): void {
    this.#concurrency += 1;
    // This request was in flight while another one was refused.
    if (now < this.#pausedUntil) this.#slots += retainedShare;
  }

  /** Records that the service refused a request after granting `granted` requests in a window. */
  refuse(now: number, granted: number): void {
    // Refusals of requests that were in flight at the same time carry no new information.
    if (now < this.#pausedUntil) return;
    this.#slots = Math.max(1, granted * retainedShare);
    this.#concurrency = 1;
    this.#jitterMs = Math.random() * jitter * this.#limit.perMs;
  }

  /** Records that the service asks to wait. */
  pause(now: number, ms: number): void {
    const pauseMs = Math.min(ms + this.#jitterMs, maxPause * this.#limit.perMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
  }

  /**
   * When the next request may be sent if nothing else happens; infinite when only a response can
   * free a slot. `expiries` are the times at which completed requests stop counting. A heavy caller
   * leaves the reserved part of the share to others.
   */
  opensAt(now: number, inFlight: number, expiries: readonly number[], isHeavy: boolean): number {
    if (inFlight >= Math.min(this.#concurrency, this.#maxConcurrent))
      return Number.POSITIVE_INFINITY;
    const { requests, reserved = 0 } = this.#limit;
    const part = isHeavy ? 1 - reserved / requests : 1;
    const needed = (inFlight + expiries.length + 1) / part;
    const grown = Math.max(0, now - this.#pausedUntil) / this.#growthMs;
    const surplus = needed - Math.min(requests, this.#slots + grown);
    const paced = Math.max(this.#pausedUntil, this.#pacedUntil - burst * this.#gapMs);
    if (surplus <= 0) return paced;
    const expires = expiries[Math.ceil(surplus * part) - 1] ?? Number.POSITIVE_INFINITY;
    // Whole milliseconds, so that no wait is too short for a clock to show.
    const growsIn =
      needed > requests ? Number.POSITIVE_INFINITY : Math.ceil(surplus * this.#growthMs);
    return Math.max(paced, Math.min(expires, Math.max(now, this.#pausedUntil) + growsIn));
  }
}
