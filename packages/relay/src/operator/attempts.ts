const most = 10;
const windowMs = 60_000;

/**
 * Failed attempts to sign in with the admin token, of everybody together: behind a proxy all have one
 * address. Who is locked out by a stranger's attempts uses a sign-in link, which cannot be guessed.
 */
export class Attempts {
  #failures: number[] = [];

  /** Milliseconds until the next one may be made. */
  waitMs(now: number): number {
    this.#failures = this.#failures.filter((at) => at > now - windowMs);
    const [oldest = 0] = this.#failures;
    return this.#failures.length < most ? 0 : oldest + windowMs - now;
  }

  fail(now: number): void {
    this.#failures.push(now);
  }
}
