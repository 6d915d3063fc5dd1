import { RateLimitError } from '../errors/rate-limit-error.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import { Budget } from './budget.ts';
import { exchange, type Failure, type Try } from './exchange.ts';
import { adoptExisting, type Repairs, repairLost } from './repair.ts';
import { retryableStatuses } from './retry.ts';

/** Tries a call until it succeeds, fails for good, or its budget of tries and time is used up. */
export async function attempt(call: Try, repairs: Repairs): Promise<unknown> {
  const budget = new Budget(call);
  let isLost = false;
  for (;;) {
    const outcome = await exchange(call, budget.isNext);
    if ('value' in outcome) {
      call.access.quota.earn();
      return outcome.value;
    }
    isLost ||= outcome.isApplied === 'maybe' && call.operation.repair !== 'repeat';
    const { error, refusedToken } = outcome;
    const again = refusedToken
      ? budget.renewToken(refusedToken)
      : isRetryable(call, outcome) && (await budget.wait(error));
    if (!again) {
      if (isLost) return repairLost(call, error, repairs);
      if (repairs.adoptExisting && error.code === 'conflict') {
        return adoptExisting(call, error, repairs);
      }
      throw error;
    }
  }
}

function isRetryable(call: Try, { error, isApplied }: Failure): boolean {
  if (error instanceof RateLimitError) return false;
  if (error.code === 'rate_limited') return true;
  return isTransient(error) && (isApplied === 'no' || isRepeatable(call));
}

function isTransient(error: ScreenAdvertisingError): boolean {
  return error instanceof TransportError
    ? error.isRetryable
    : retryableStatuses.has(error.status ?? 0);
}

/** A coupon with a code of the caller's cannot be created twice, nor one be revoked twice. */
function isRepeatable({ operation, input }: Try): boolean {
  if (operation.repair === 'by-code') return input.code !== undefined;
  return operation.repair === 'repeat' || operation.repair === 'by-state';
}
