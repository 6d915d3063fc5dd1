import { noCallerLeftReason, onAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { RateLimitWaitError } from '../errors/error-classes.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';

/** How many requests an access may send: `requests` in any `perMs` milliseconds. */
export interface ClientRateLimit {
  /** The limit of all processes that share the access, or this process's part. Default: 600. */
  readonly requests?: number;
  /** Milliseconds that the limit is for. Default: 60,000. */
  readonly perMs?: number;
  /** Requests in flight at once. Default: a fifteenth of `requests`, and at least 40. */
  readonly maxConcurrent?: number;
}

/** A limit with the defaults filled in. */
export interface ClientRateLimitWithDefaults extends ClientRateLimit {
  readonly requests: number;
  readonly perMs: number;
}

export interface AcquireSlotOptions {
  readonly signal?: AbortSignal | undefined;
  /** Clock time after which a slot is of no use to the caller. */
  readonly latest?: number | undefined;
  /** The longest pause the caller accepts; waiting in the queue does not count. */
  readonly maxPauseMs?: number | undefined;
  /** The caller's request was sent and refused: it goes to the head of the queue. */
  readonly isNext?: boolean | undefined;
}

/**
 * Releases a slot, which is free a window later. With `refusedForMs`, the service refused the
 * request: that holds back every caller for so long.
 */
export type ReleaseSlot = (refusedForMs?: number) => void;

interface Waiter {
  readonly latest: number;
  readonly maxPauseMs: number;
  grant(): void;
  refuse(error: unknown): void;
}

/** The service refuses so many at once when other processes have used up the limit: 40 of 600. */
const concurrentPart = 1 / 15;
const minConcurrent = 40;
/** The longest pause, in windows: one mistake of the service must not block an access for a day. */
const maxPause = 2;
/**
 * Once the limit was reached, requests are spread over a part of a window. Other processes that
 * share the access resume within a second, since the service named all of them the moment when its
 * window is free: at full speed, the first one would take everything, and the others would be
 * refused again. A process that was never refused may be the only one, so it loses less time.
 */
const spreadAlone = 1 / 30;
const spreadAmongOthers = 1 / 12;
/** For so many windows. */
const spreadFor = 2;

/**
 * A sliding window over what the service may have counted. A slot is taken from the moment it is
 * granted until a full window after the response, so latency can never push an extra request into a
 * window of the service. First come, first served.
 */
export class ClientRateLimiter {
  readonly #limit: ClientRateLimitWithDefaults;
  readonly #clock: Clock;
  readonly #maxConcurrent: number;
  /** Times at which finished requests stop counting, oldest first. */
  readonly #expiries: number[] = [];
  readonly #queue: Waiter[] = [];
  #inFlight = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Until when requests are spread, and the next one may follow the last one. */
  #spreadUntil = Number.NEGATIVE_INFINITY;
  #spread = spreadAlone;
  #nextAt = Number.NEGATIVE_INFINITY;
  #alarm: { readonly at: number; readonly cancel: AbortController } | undefined;

  constructor(limit: ClientRateLimitWithDefaults, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#maxConcurrent =
      limit.maxConcurrent ?? Math.max(minConcurrent, limit.requests * concurrentPart);
  }

  /**
   * Resolves when a request may be sent. Call the returned function when the response has arrived.
   * Rejects with RateLimitWaitError as soon as it is certain that no slot opens in time, and with the
   * signal's reason.
   */
  acquire(options: AcquireSlotOptions = {}): Promise<ReleaseSlot> {
    const { signal, latest = Number.POSITIVE_INFINITY, isNext = false } = options;
    const { maxPauseMs = Number.POSITIVE_INFINITY } = options;
    // Usually no caller is waiting, and the bookkeeping below costs a twentieth of a call.
    const now = this.#clock.now();
    const isFree = this.#queue.length === 0 && this.#opensAt(now) <= now;
    if (isFree && !signal?.aborted) return Promise.resolve(this.#take(now));
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = onAbort(signal, () => this.#dismiss(waiter, signal?.reason));
      const waiter: Waiter = {
        latest,
        maxPauseMs,
        grant: () => {
          leave();
          resolve(this.#take(this.#clock.now()));
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      if (isNext) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#serve();
      const slot = this.#slotAt(this.#queue.indexOf(waiter));
      this.#refuseIfTooLate(waiter, Number.isFinite(slot) ? slot : this.#pausedUntil);
    });
  }

  /** Holds back every caller for `ms` milliseconds, as the service asked; at most two windows. */
  pause(ms: number): void {
    const { perMs } = this.#limit;
    const until = this.#clock.now() + Math.min(ms, maxPause * perMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    this.#spreadUntil = this.#pausedUntil + spreadFor * perMs;
    this.#spread = spreadAmongOthers;
    for (const waiter of [...this.#queue]) this.#refuseIfTooLate(waiter, this.#pausedUntil);
    this.#serve();
  }

  #take(sentAt: number): ReleaseSlot {
    const { perMs, requests } = this.#limit;
    this.#inFlight += 1;
    if (sentAt >= this.#spreadUntil) this.#spread = spreadAlone;
    else this.#nextAt = Math.max(this.#nextAt, sentAt) + (perMs * this.#spread) / requests;
    const isFull = this.#inFlight + this.#expiries.length === requests;
    if (isFull) this.#spreadUntil = Math.max(this.#spreadUntil, sentAt + spreadFor * perMs);
    let open = true;
    return (refusedForMs) => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      // One extra millisecond, because a window of the service may include both of its ends. The
      // service may also count the requests it refused.
      this.#expiries.push(this.#clock.now() + perMs + 1);
      if (refusedForMs !== undefined) this.pause(refusedForMs);
      else if (this.#queue.length > 0) this.#serve();
    };
  }

  #serve(): void {
    const now = this.#clock.now();
    while (this.#queue.length > 0 && this.#opensAt(now) <= now) this.#queue.shift()?.grant();
    this.#wakeAt(this.#queue.length > 0 ? this.#opensAt(now) : Number.POSITIVE_INFINITY);
  }

  /** When the next request may be sent; infinite while only a response can free a slot. */
  #opensAt(now: number): number {
    while ((this.#expiries[0] ?? Number.POSITIVE_INFINITY) <= now) this.#expiries.shift();
    if (this.#inFlight >= this.#maxConcurrent) return Number.POSITIVE_INFINITY;
    return Math.max(this.#slotAt(0), this.#nextAt);
  }

  /**
   * The earliest time at which the slot behind `ahead` other callers opens; infinite while only
   * responses in flight can open it.
   */
  #slotAt(ahead: number): number {
    const surplus = this.#inFlight + this.#expiries.length + ahead - this.#limit.requests;
    const opens = surplus < 0 ? 0 : (this.#expiries[surplus] ?? Number.POSITIVE_INFINITY);
    return Math.max(opens, this.#pausedUntil);
  }

  /** Waiting for a slot that certainly opens too late would only cost time. */
  #refuseIfTooLate(waiter: Waiter, slot: number): void {
    const now = this.#clock.now();
    const isPausedTooLong = this.#pausedUntil - now > waiter.maxPauseMs;
    if (isPausedTooLong || slot > waiter.latest) {
      this.#dismiss(waiter, new RateLimitWaitError(slot - now));
    }
  }

  /** Does nothing for a caller that already has its slot. */
  #dismiss(waiter: Waiter, error: unknown): void {
    const at = this.#queue.indexOf(waiter);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    waiter.refuse(error);
    this.#serve();
  }

  #wakeAt(time: number): void {
    if (this.#alarm?.at === time) return;
    this.#alarm?.cancel.abort(noCallerLeftReason);
    this.#alarm = undefined;
    if (!Number.isFinite(time)) return;
    const cancel = new AbortController();
    const alarm = { at: time, cancel };
    this.#alarm = alarm;
    this.#clock.sleep(Math.max(0, time - this.#clock.now()), cancel.signal).then(
      () => {
        // A newer alarm may have been set since this wait ended.
        if (this.#alarm === alarm) this.#alarm = undefined;
        this.#serve();
      },
      () => undefined,
    );
  }
}

/**
 * Milliseconds to wait after a failure, at least as long as the service asks. `nth` counts failures
 * from 1.
 */
export function retryPauseMs({ retryAfter = 0 }: ScreenAdvertisingError, nth: number): number {
  return Math.max(retryAfter * 1000, backoffMs(nth));
}

const firstPauseMs = 500;
const maxPauseMs = 20_000;

/** Exponential back-off with full jitter, in milliseconds. `attempt` counts from 1. */
export function backoffMs(attempt: number): number {
  return Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
}
