import type { Endpoint, FailedCall } from '../catalogue/operation.ts';
import { RateLimitError } from '../errors/rate-limit-error.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import { Budget } from './budget.ts';
import type { Failure, OngoingCall } from './ongoing-call.ts';
import { policyOf, settle } from './repair.ts';
import { retryableStatuses } from './retry.ts';
import { sendOnce } from './send-once.ts';

/**
 * Retries a call whose first attempt failed, until it succeeds, fails for good, or runs out of
 * attempts or time. Returns the result of the call.
 */
export async function recover(
  call: OngoingCall,
  first: Failure,
  further: Pick<FailedCall, 'adoptExisting' | 'call'>,
): Promise<unknown> {
  const { operation, input } = call;
  const policy = policyOf(operation);
  const budget = new Budget(call);
  let failure = first;
  let isLost = false;
  for (;;) {
    const { error, isApplied, refusedToken } = failure;
    const isLoss = isApplied === 'maybe' && operation.recovery !== 'resend';
    isLost ||= isLoss;
    const again = refusedToken
      ? budget.renewToken(refusedToken)
      : (isRetryable(operation, failure) && (await budget.wait(error))) ||
        (isLoss && policy?.probeByResending?.(input) && budget.askAgain());
    if (!again) return settle({ operation, input, error, ...further }, isLost);
    const outcome = await sendOnce(call, budget.isNext);
    if ('value' in outcome) {
      call.access.quota.earn();
      return outcome.value;
    }
    failure = outcome;
  }
}

function isRetryable({ recovery }: Endpoint, { error, isApplied }: Failure): boolean {
  if (error instanceof RateLimitError) return false;
  if (error.code === 'rate_limited') return true;
  return isTransient(error) && (isApplied === 'no' || recovery !== 'none');
}

function isTransient(error: ScreenAdvertisingError): boolean {
  return error instanceof TransportError
    ? error.isRetryable
    : retryableStatuses.has(error.status ?? 0);
}
