import type { RelayClock } from '../clock/relay-clock.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';

const windowMs = 60_000;
/** Requests per token. Stops a loop that runs wild; no connector gets near it. */
const requestsOfToken = 6_000;
/** Requests per address with an invalid token. */
const failuresOfAddress = 60;
/** How many valid tokens are remembered, so that they work while their address is blocked. */
const mostKnown = 10_000;

/**
 * Requests per minute that one process accepts. Each process counts for itself, so these limits are
 * approximate.
 */
export class ApiLimits {
  readonly #clock: RelayClock;
  readonly #requests = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #known = new Set<string>();
  #startedAt = 0;

  constructor(clock: RelayClock) {
    this.#clock = clock;
  }

  /**
   * Throws a 429 for an address that has failed too often, before any database query. A token that
   * worked before still passes: many clients may share an address with the one that fails.
   */
  checkAddress(address: string, hash: string): void {
    this.#turn();
    const failures = this.#failures.get(address) ?? 0;
    if (failures < failuresOfAddress || this.#known.has(hash)) return;
    throw this.#tooMany(`This address sent ${failures} requests without a valid token`);
  }

  countFailure(address: string, hash: string): void {
    this.#known.delete(hash);
    this.#failures.set(address, (this.#failures.get(address) ?? 0) + 1);
  }

  /** Throws a 429 for a token that sends too many requests. */
  countRequest(hash: string): void {
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.add(hash);
    const requests = (this.#requests.get(hash) ?? 0) + 1;
    this.#requests.set(hash, requests);
    if (requests <= requestsOfToken) return;
    throw this.#tooMany(`This token sent more than ${requestsOfToken} requests in a minute`);
  }

  #turn(): void {
    const now = this.#clock.now();
    if (now >= this.#startedAt && now - this.#startedAt < windowMs) return;
    this.#startedAt = now;
    this.#requests.clear();
    this.#failures.clear();
  }

  #tooMany(what: string): ProblemResponseError {
    const waitMs = this.#startedAt + windowMs - this.#clock.now();
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    return new ProblemResponseError(429, 'rate-limited', `${what}. Retry in ${seconds} s.`, {
      'retry-after': String(seconds),
    });
  }
}
