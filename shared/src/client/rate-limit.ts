import type { Clock } from '../clock.ts';
import { RateLimitWaitError } from '../errors/error-classes.ts';
import { onAbort } from '../on-abort.ts';
import { type ExactLimit, FairShare } from './fair-share.ts';
import { noCallerLeft } from './shared-work.ts';

/** Something that shares a rate limit with others, such as a client. */
export interface Caller {
  /** Requests sent so far. */
  sent: number;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Clock time after which a slot is of no use to the caller. */
  readonly latest?: number | undefined;
  /** The longest pause the caller accepts; waiting in the queue does not count. */
  readonly maxPauseMs?: number | undefined;
  /** The caller's request was sent and refused: it goes to the head of the queue. */
  readonly isNext?: boolean | undefined;
  /** Whose request it is. Those without one are of one caller. */
  readonly caller?: Caller | undefined;
}

/**
 * Releases a slot, which is free a window later. With `refusedForMs`, the service refused the
 * request: that holds back every caller for so long.
 */
export type Release = (refusedForMs?: number) => void;

interface Waiter {
  readonly caller: Caller;
  readonly latest: number;
  readonly maxPauseMs: number;
  grant(): void;
  refuse(error: unknown): void;
}

/** Requests of a caller that may take a reserved slot. */
const lightRequests = 5;

function isHeavy({ sent }: Caller): boolean {
  return sent >= lightRequests;
}

/**
 * A sliding window over what the service may have counted. A slot is taken from the moment it is
 * granted until a full window after the response, so latency can never push an extra request into a
 * window of the service. The fair share decides how many slots exist. First come, first served, but
 * for reserved slots.
 */
export class RateLimiter {
  readonly #limit: ExactLimit;
  readonly #clock: Clock;
  readonly #share: FairShare;
  /** Times at which finished requests stop counting, oldest first. */
  readonly #expiries: number[] = [];
  readonly #queue: Waiter[] = [];
  readonly #anyone: Caller = { sent: 0 };
  #inFlight = 0;
  #alarm: { readonly at: number; readonly cancel: AbortController } | undefined;

  constructor(limit: ExactLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#share = new FairShare(limit);
  }

  /**
   * Resolves when a request may be sent. Call the returned function when the response has arrived.
   * Rejects with RateLimitWaitError as soon as it is certain that no slot opens in time, and with the
   * signal's reason.
   */
  acquire(options: AcquireOptions = {}): Promise<Release> {
    const { signal, latest = Number.POSITIVE_INFINITY, isNext = false } = options;
    const { maxPauseMs = Number.POSITIVE_INFINITY, caller = this.#anyone } = options;
    // Usually no caller is waiting, and the bookkeeping below costs a twentieth of a call.
    const now = this.#clock.now();
    const isFree = this.#queue.length === 0 && this.#opensAt(now, caller) <= now;
    if (isFree && !signal?.aborted) return Promise.resolve(this.#take(now, caller));
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = onAbort(signal, () => this.#dismiss(waiter, signal?.reason));
      const waiter: Waiter = {
        caller,
        latest,
        maxPauseMs,
        grant: () => {
          leave();
          resolve(this.#take(this.#clock.now(), caller));
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      if (isNext) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#serve();
      // With a reserved slot, a light caller passes all others.
      const mayPass = this.#limit.reserved && !isHeavy(caller);
      const slot = this.#slotAt(mayPass ? 0 : this.#queue.indexOf(waiter));
      this.#refuseIfTooLate(waiter, Number.isFinite(slot) ? slot : this.#share.pausedUntil);
    });
  }

  /** Holds back every caller for `ms` milliseconds, as the service asked; at most two windows. */
  pause(ms: number): void {
    this.#share.pause(this.#clock.now(), ms);
    const { pausedUntil } = this.#share;
    for (const waiter of [...this.#queue]) this.#refuseIfTooLate(waiter, pausedUntil);
    this.#serve();
  }

  #take(sentAt: number, caller: Caller): Release {
    this.#inFlight += 1;
    caller.sent += 1;
    this.#share.send(sentAt);
    let open = true;
    return (refusedForMs) => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      const now = this.#clock.now();
      if (refusedForMs === undefined) this.#share.grant(now);
      else this.#share.refuse(now, this.#expiries.length);
      // One extra millisecond, because a window of the service may include both of its ends. The
      // service may also count the requests it refused.
      this.#expiries.push(now + this.#limit.perMs + 1);
      if (refusedForMs !== undefined) this.pause(refusedForMs);
      else if (this.#queue.length > 0) this.#serve();
    };
  }

  #serve(): void {
    const now = this.#clock.now();
    let next = this.#nextWaiter(now);
    while (next && this.#opensAt(now, next.caller) <= now) {
      this.#queue.splice(this.#queue.indexOf(next), 1);
      next.grant();
      next = this.#nextWaiter(now);
    }
    this.#wakeAt(next ? this.#opensAt(now, next.caller) : Number.POSITIVE_INFINITY);
  }

  /** The oldest, unless it has to wait and a light caller has a reserved slot. */
  #nextWaiter(now: number): Waiter | undefined {
    const [oldest] = this.#queue;
    if (!oldest || this.#opensAt(now, oldest.caller) <= now) return oldest;
    return this.#queue.find(({ caller }) => !isHeavy(caller)) ?? oldest;
  }

  #opensAt(now: number, caller: Caller): number {
    while ((this.#expiries[0] ?? Number.POSITIVE_INFINITY) <= now) this.#expiries.shift();
    return this.#share.opensAt(now, this.#inFlight, this.#expiries, isHeavy(caller));
  }

  /**
   * The earliest time at which the slot behind `ahead` other callers opens if the share is the
   * whole limit; infinite while only responses in flight can open it.
   */
  #slotAt(ahead: number): number {
    const surplus = this.#inFlight + this.#expiries.length + ahead - this.#limit.requests;
    const opens = surplus < 0 ? 0 : (this.#expiries[surplus] ?? Number.POSITIVE_INFINITY);
    return Math.max(opens, this.#share.pausedUntil);
  }

  /** Waiting for a slot that certainly opens too late would only cost time. */
  #refuseIfTooLate(waiter: Waiter, slot: number): void {
    const now = this.#clock.now();
    const isPausedTooLong = this.#share.pausedUntil - now > waiter.maxPauseMs;
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
    this.#alarm?.cancel.abort(noCallerLeft);
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
