import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { OngoingCall } from './ongoing-call.ts';
import { backoff } from './retry.ts';

/** What a call may still spend on retries. */
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
   * A call goes to the head of the queue after its first refusal, or it would be refused again at
   * the end of a window. After a second refusal it lets other calls ask.
   */
  get isNext(): boolean {
    return this.#refusals === 1;
  }

  /** Allows one retry with another token; a second refusal is final. */
  renewToken(refused: string): boolean {
    const { tokens } = this.#call.access;
    if (!tokens || this.#hasRenewed) return false;
    this.#hasRenewed = true;
    tokens.refuse(refused);
    return true;
  }

  /** Waits before a retry. Resolves with false at once when the budget does not allow one. */
  async wait(error: ScreenAdvertisingError): Promise<boolean> {
    if (this.#isStaleSocket(error)) return true;
    return error.code === 'rate_limited' ? this.#waitOut(error) : this.#backOff(error);
  }

  /** Allows one attempt beyond the policy, whose response shows what became of the earlier ones. */
  askAgain(): boolean {
    if (this.#hasAskedAgain || !this.#fits(0)) return false;
    this.#hasAskedAgain = true;
    return true;
  }

  /** A 429 costs no attempt, since nothing was processed, and it pauses the other calls too. */
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
    // Charge the shared quota only for a retry that really happens.
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

  /** A kept connection that the service had already closed says nothing about its health. */
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
