import { RateLimitError } from '../errors/rate-limit-error.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import { exchange, type Try } from './exchange.ts';
import { adoptExisting, type ReadCoupon, repairLost } from './repair.ts';
import { backoff, type RetryPolicy, retryableStatuses } from './retry.ts';

export interface Repairs {
  readonly readCoupon: ReadCoupon;
  /** A conflict on the first try counts as success when the caller's own coupon is there. */
  readonly adoptExisting: boolean;
}

/** Tries a call until it succeeds, fails for good, or its budget of tries and time is used up. */
export async function attempt(call: Try, policy: RetryPolicy, repairs: Repairs): Promise<unknown> {
  const budget = new Budget(call, policy);
  let isLost = false;
  for (;;) {
    const outcome = await exchange(call);
    if ('value' in outcome) {
      call.access.quota.earn();
      return outcome.value;
    }
    isLost ||= outcome.isApplied === 'maybe' && call.operation.repair !== 'repeat';
    const { error } = outcome;
    const again = outcome.refusedToken
      ? budget.renewToken(outcome.refusedToken)
      : isRetryable(call, error) && (await budget.wait(error));
    if (!again) {
      if (isLost) return repairLost(call, error, repairs.readCoupon);
      if (repairs.adoptExisting && error.code === 'conflict') {
        return adoptExisting(call, error, repairs.readCoupon);
      }
      throw error;
    }
  }
}

function isRetryable(call: Try, error: ScreenAdvertisingError): boolean {
  if (error instanceof RateLimitError) return false;
  if (error.code === 'rate_limited') return true;
  if (error instanceof TransportError && error.sent === 'no') return true;
  const isTransient =
    error instanceof TransportError ||
    error.code === 'unexpected_response' ||
    retryableStatuses.has(error.status ?? 0);
  return isTransient && isRepeatable(call);
}

/** A coupon with a code of the caller's cannot be created twice, nor one be revoked twice. */
function isRepeatable({ operation, input }: Try): boolean {
  if (operation.repair === 'by-code') return input.code !== undefined;
  return operation.repair === 'repeat' || operation.repair === 'by-state';
}

/** What a call may still spend on further tries. */
class Budget {
  readonly #call: Try;
  readonly #policy: RetryPolicy;
  #tries = 1;
  #refusals = 0;
  #waitedMs = 0;
  #hasRenewed = false;
  #hasReconnected = false;

  constructor(call: Try, policy: RetryPolicy) {
    this.#call = call;
    this.#policy = policy;
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
    const isRefusal = error.code === 'rate_limited';
    const isSpent = isRefusal ? this.#policy.maxWaitMs === 0 : !this.#takeTry();
    if (isSpent) return false;
    if (isRefusal) this.#refusals += 1;
    const { clock } = this.#call.transport;
    const nth = isRefusal ? this.#refusals : this.#tries - 1;
    const pauseMs = Math.max((error.retryAfter ?? 0) * 1000, backoff(nth));
    if (isRefusal) this.#call.access.limiter.pause(pauseMs);
    this.#waitedMs += pauseMs;
    const isTooLong =
      this.#waitedMs > this.#policy.maxWaitMs || clock.now() + pauseMs > this.#call.deadline;
    if (isTooLong) return false;
    await clock.sleep(pauseMs, this.#call.signal);
    return true;
  }

  #takeTry(): boolean {
    if (this.#tries >= this.#policy.attempts || !this.#call.access.quota.take()) return false;
    this.#tries += 1;
    return true;
  }

  /** A kept connection that the service had closed meanwhile says nothing about the service. */
  #isStaleSocket(error: ScreenAdvertisingError): boolean {
    const isStale = error instanceof TransportError && error.isStaleSocket;
    if (!isStale || this.#hasReconnected || this.#call.operation.method !== 'GET') return false;
    this.#hasReconnected = true;
    return this.#policy.attempts > 1;
  }
}
