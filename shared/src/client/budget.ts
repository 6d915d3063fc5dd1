import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { OngoingCall } from './ongoing-call.ts';
import { backoff } from './retry.ts';

/** What a call may still spend on further tries. */
export class Budget {
  readonly #call: OngoingCall;
  #tries = 1;
  #refusals = 0;
  #waitedMs = 0;
  #hasRenewed = false;
  #hasReconnected = false;
  #hasAskedAgain = false;

  constructor(call: OngoingCall) {
    this.#call = call;
  }

  /**
   * A call that was refused once is the next one to go, or it would be refused again at the end of
   * a window; who is refused again lets the others ask.
   */
  get isNext(): boolean {
    return this.#refusals === 1;
  }

  /** One more try with another token; a second refusal is final. */
  renewToken(refused: string): boolean {
    const { tokens } = this.#call.access;
    if (!tokens || this.#hasRenewed) return false;
    this.#hasRenewed = true;
    tokens.refuse(refused);
    return true;
  }

  /** Waits before the next try; false, at once, when the budget does not allow one. */
  async wait(error: ScreenAdvertisingError): Promise<boolean> {
    if (this.#isStaleSocket(error)) return true;
    return error.code === 'rate_limited' ? this.#waitOut(error) : this.#backOff(error);
  }

  /** One try beyond the policy, whose response tells what became of those without one. */
  askAgain(): boolean {
    if (this.#hasAskedAgain || !this.#fits(0)) return false;
    this.#hasAskedAgain = true;
    return true;
  }

  /** A 429 costs no try, since nothing was processed, and holds back the other calls too. */
  #waitOut(error: ScreenAdvertisingError): Promise<boolean> {
    this.#refusals += 1;
    const pauseMs = pauseFor(error, this.#refusals);
    this.#call.access.limiter?.pause(pauseMs);
    return this.#sleep(pauseMs);
  }

  async #backOff(error: ScreenAdvertisingError): Promise<boolean> {
    const { retry, access } = this.#call;
    if (this.#tries >= retry.attempts) return false;
    const pauseMs = pauseFor(error, this.#tries);
    // Only a retry that is made costs the others some of theirs.
    if (!this.#fits(pauseMs) || !access.quota.take()) return false;
    this.#tries += 1;
    return this.#sleep(pauseMs);
  }

  #fits(ms: number): boolean {
    const { transport, retry, deadline } = this.#call;
    const isInTime = !deadline || transport.clock.now() + ms < deadline.at;
    return isInTime && this.#waitedMs + ms <= retry.maxWaitMs;
  }

  async #sleep(ms: number): Promise<boolean> {
    const { transport, deadline, signal } = this.#call;
    if (!this.#fits(ms)) return false;
    this.#waitedMs += ms;
    try {
      await transport.clock.sleep(ms, signal);
      return true;
    } catch (reason) {
      if (reason === deadline?.reason) return false;
      throw reason;
    }
  }

  /** A kept connection that the service had closed meanwhile says nothing about the service. */
  #isStaleSocket(error: ScreenAdvertisingError): boolean {
    const isStale = error instanceof TransportError && error.isStaleSocket;
    if (!isStale || this.#hasReconnected || this.#call.operation.method === 'POST') return false;
    this.#hasReconnected = true;
    return this.#call.retry.attempts > 1;
  }
}

function pauseFor(error: ScreenAdvertisingError, nth: number): number {
  return Math.max((error.retryAfter ?? 0) * 1000, backoff(nth));
}
