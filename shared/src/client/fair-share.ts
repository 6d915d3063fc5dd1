/** How many requests an access may send: `requests` in any `perMs` milliseconds. */
export interface RateLimit {
  /** Of all processes that share the access, unless you know the share of this one. */
  readonly requests: number;
  readonly perMs: number;
  /** Requests under way at once; a fifteenth of `requests` unless given, and 40 at least. */
  readonly underWay?: number;
}

/** So much of what the service granted in a window is kept after a refusal; the rest is the others'. */
const keptShare = 0.9;
/** Windows in which a share grows from nothing to the whole limit. */
const growthWindows = 0.5;
/** A window's requests are spread over this part of it: who starts all at once learns too late of others. */
const spread = 0.01;
/** Requests that need not be spread. */
const burst = 50;
/**
 * This part of a window's requests may be under way, 40 of 600: as many are refused at once when
 * others have used up the limit.
 */
const underWayPart = 1 / 15;
const leastUnderWay = 40;
/** Windows that all wait when the service asks for more: one mistake must not hold an access for a day. */
const longestPause = 2;
/** Processes come back after a pause within this part of a window, not at the same moment. */
const jitter = 0.02;

/**
 * How much of an access's limit this process uses. Other processes use the same limit, and nobody
 * tells: a process starts with all of it, keeps most of what it was granted when it is refused, and
 * takes more by and by until it is refused again. Who has more gives more, so that shares even out.
 */
export class FairShare {
  readonly #limit: RateLimit;
  /** Milliseconds from one request to the next, and from one slot more to the next. */
  readonly #gapMs: number;
  readonly #growthMs: number;
  /** Slots when the last pause ends; more after it. */
  #slots: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #jitterMs = 0;
  /** Requests that may be under way; after a pause one goes ahead to ask. */
  readonly #mostUnderWay: number;
  #width = Number.POSITIVE_INFINITY;
  #pacedUntil = Number.NEGATIVE_INFINITY;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#gapMs = (limit.perMs * spread) / limit.requests;
    this.#growthMs = (limit.perMs * growthWindows) / limit.requests;
    this.#slots = limit.requests;
    this.#mostUnderWay = limit.underWay ?? Math.max(leastUnderWay, limit.requests * underWayPart);
  }

  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** A request is sent. */
  send(now: number): void {
    this.#pacedUntil = Math.max(this.#pacedUntil, now) + this.#gapMs;
  }

  /** The service took a request. */
  grant(now: number): void {
    this.#width += 1;
    // It was under way while another one was refused.
    if (now < this.#pausedUntil) this.#slots += keptShare;
  }

  /** The service refused a request after it granted `granted` in a window. */
  refuse(now: number, granted: number): void {
    // Those that were under way with the first one say nothing more.
    if (now < this.#pausedUntil) return;
    this.#slots = Math.max(1, granted * keptShare);
    this.#width = 1;
    this.#jitterMs = Math.random() * jitter * this.#limit.perMs;
  }

  /** The service asks to wait. */
  pause(now: number, ms: number): void {
    const pauseMs = Math.min(ms + this.#jitterMs, longestPause * this.#limit.perMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
  }

  /**
   * When a request may go, as long as nothing else happens; infinite while only an answer can tell.
   * `expiries` are the times at which those that were answered stop counting.
   */
  opensAt(now: number, underWay: number, expiries: readonly number[]): number {
    if (underWay >= Math.min(this.#width, this.#mostUnderWay)) return Number.POSITIVE_INFINITY;
    const { requests } = this.#limit;
    const wanted = underWay + expiries.length + 1;
    const grown = Math.max(0, now - this.#pausedUntil) / this.#growthMs;
    const surplus = wanted - Math.min(requests, this.#slots + grown);
    const paced = Math.max(this.#pausedUntil, this.#pacedUntil - burst * this.#gapMs);
    if (surplus <= 0) return paced;
    const expires = expiries[Math.ceil(surplus) - 1] ?? Number.POSITIVE_INFINITY;
    // Whole milliseconds, so that no wait is too short for a clock to show.
    const growsIn =
      wanted > requests ? Number.POSITIVE_INFINITY : Math.ceil(surplus * this.#growthMs);
    return Math.max(paced, Math.min(expires, Math.max(now, this.#pausedUntil) + growsIn));
  }
}
