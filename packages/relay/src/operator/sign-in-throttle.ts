const most = 10;
const windowMs = 60_000;

/**
 * Limits wrong admin tokens for all clients together: behind a proxy they share one address. The
 * right token, which is too long to guess, always signs in.
 */
export class SignInThrottle {
  #failures: number[] = [];

  /** Milliseconds until the next attempt is allowed. */
  waitMs(now: number): number {
    this.#failures = this.#failures.filter((at) => at > now - windowMs);
    const [oldest = 0] = this.#failures;
    return this.#failures.length < most ? 0 : oldest + windowMs - now;
  }

  fail(now: number): void {
    this.#failures.push(now);
  }
}
