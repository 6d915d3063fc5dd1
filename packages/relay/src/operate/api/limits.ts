import type { ScheduledClock } from '@screen-advertising/server-kit';
import { ProblemResponseError } from '../../base/http.ts';

const windowMs = 60_000;
/** Requests per token. Stops a loop that runs wild; no connector gets near it. */
const requestsOfToken = 6_000;
/** Requests per address with an invalid token. */
const failuresOfAddress = 60;

/**
 * Requests per minute that one process accepts. Each process counts for itself, so these limits are
 * approximate.
 */
export class ApiLimits {
  readonly #clock: ScheduledClock;
  readonly #requests = new Map<number, number>();
  readonly #failures = new Map<string, number>();
  #startedAt = 0;

  constructor(clock: ScheduledClock) {
    this.#clock = clock;
  }

  /** Counts an invalid token. Throws a 429 for an address that has sent too many. */
  countFailure(address: string): void {
    if (this.#count(this.#failures, address) <= failuresOfAddress) return;
    throw this.#tooMany(
      `This address sent more than ${failuresOfAddress} requests without a valid token in a minute`,
    );
  }

  /** Throws a 429 for a token that sends too many requests. */
  countRequest(token: number): void {
    if (this.#count(this.#requests, token) <= requestsOfToken) return;
    throw this.#tooMany(`This token sent more than ${requestsOfToken} requests in a minute`);
  }

  #count<Key>(counts: Map<Key, number>, key: Key): number {
    const now = this.#clock.now();
    if (now < this.#startedAt || now - this.#startedAt >= windowMs) {
      this.#startedAt = now;
      this.#requests.clear();
      this.#failures.clear();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  #tooMany(what: string): ProblemResponseError {
    const waitMs = this.#startedAt + windowMs - this.#clock.now();
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    return new ProblemResponseError('rate-limited', `${what}. Retry in ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
}
