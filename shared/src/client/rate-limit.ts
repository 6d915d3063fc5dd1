import type { Clock } from '../clock.ts';
import { RateLimitError } from '../errors/rate-limit-error.ts';

export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Clock time after which the caller has no use for a slot. */
  readonly latest?: number | undefined;
}

interface Waiter {
  readonly latest: number;
  grant(): void;
  refuse(error: unknown): void;
}

/**
 * Sliding window over what the service may have counted: a slot is taken from its grant until a
 * window's length after the answer, so latency can never push one request more into a window of
 * the service. First come, first served. `pause` holds everybody back after a 429.
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  /** Times at which finished requests stop counting, oldest first. */
  readonly #expiries: number[] = [];
  readonly #queue: Waiter[] = [];
  #inFlight = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #alarm: { readonly at: number; readonly cancel: AbortController } | undefined;

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Resolves once a request may be sent; call what it gives when the answer has come. */
  acquire({ signal, latest = Number.POSITIVE_INFINITY }: AcquireOptions = {}): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const settle = (): void => {
        done.abort();
        const at = this.#queue.indexOf(waiter);
        if (at >= 0) this.#queue.splice(at, 1);
      };
      const waiter: Waiter = {
        latest,
        grant: () => {
          settle();
          resolve(this.#take());
        },
        refuse: (error) => {
          settle();
          reject(error);
          this.#serve();
        },
      };
      signal?.addEventListener('abort', () => waiter.refuse(signal.reason), {
        once: true,
        signal: done.signal,
      });
      this.#queue.push(waiter);
      this.#serve();
      if (!done.signal.aborted) this.#watchDeadline(waiter, done.signal);
    });
  }

  /** Nobody sends for `ms` milliseconds: the service said so. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + ms);
    for (const waiter of [...this.#queue]) this.#refuseIfTooLate(waiter);
    this.#serve();
  }

  #take(): () => void {
    this.#inFlight += 1;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      // One millisecond more: a window of the service may count both of its ends.
      this.#expiries.push(this.#clock.now() + this.#limit.perMs + 1);
      this.#serve();
    };
  }

  #serve(): void {
    const now = this.#clock.now();
    while (this.#expiries[0] !== undefined && this.#expiries[0] <= now) this.#expiries.shift();
    while (this.#queue[0] && this.#nextSlot() <= now) this.#queue[0].grant();
    this.#wakeAt(this.#queue.length > 0 ? this.#nextSlot() : Number.POSITIVE_INFINITY);
  }

  /** When the next slot opens; infinite while only answers in flight can open one. */
  #nextSlot(): number {
    const surplus = this.#inFlight + this.#expiries.length - this.#limit.requests;
    const opens = surplus < 0 ? 0 : (this.#expiries[surplus] ?? Number.POSITIVE_INFINITY);
    return Math.max(opens, this.#pausedUntil);
  }

  #watchDeadline(waiter: Waiter, done: AbortSignal): void {
    if (!Number.isFinite(waiter.latest) || this.#refuseIfTooLate(waiter)) return;
    const left = waiter.latest - this.#clock.now();
    this.#clock.sleep(left, done).then(
      () => waiter.refuse(new RateLimitError(left)),
      () => undefined,
    );
  }

  /** Waiting for a slot that is known to open too late would only cost time. */
  #refuseIfTooLate(waiter: Waiter): boolean {
    const slot = this.#nextSlot();
    const tooLate = Number.isFinite(slot) && slot > waiter.latest;
    if (tooLate) waiter.refuse(new RateLimitError(slot - this.#clock.now()));
    return tooLate;
  }

  #wakeAt(time: number): void {
    if (this.#alarm?.at === time) return;
    this.#alarm?.cancel.abort();
    this.#alarm = undefined;
    if (!Number.isFinite(time)) return;
    const cancel = new AbortController();
    this.#alarm = { at: time, cancel };
    this.#clock.sleep(time - this.#clock.now(), cancel.signal).then(
      () => {
        this.#alarm = undefined;
        this.#serve();
      },
      () => undefined,
    );
  }
}
