import type { Recovery, RecoveryContext } from '../catalogue/operation.ts';
import { outcomeUnknown } from '../errors/error-classes.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { type Failure, type OngoingCall, type Success, sendAttempt } from './attempt.ts';
import { pauseFor } from './backoff.ts';
import { retryableStatuses } from './error-from-response.ts';

/**
 * Retries a call whose first attempt failed, until it succeeds, fails for good, or runs out of
 * attempts or time. The operation's policy may find the record of a request whose response was lost.
 */
export async function recover(
  call: OngoingCall,
  first: Failure,
  more: Pick<RecoveryContext, 'adoptExisting' | 'call'>,
): Promise<Success> {
  const { operation, input } = call;
  const { title, recovery } = operation;
  const policy = typeof recovery === 'object' ? recovery : undefined;
  const budget = new RetryBudget(call);
  let failure = first;
  let isLost = false;
  for (;;) {
    const { error, applied, refusedToken } = failure;
    const isResponseLost = applied === 'maybe' && recovery !== 'resend';
    isLost ||= isResponseLost;
    const mayResend = refusedToken
      ? budget.renewToken(refusedToken, error)
      : (isTransient(failure, recovery) && (await budget.waitToRetry(failure))) ||
        (isResponseLost && policy?.probeByResending?.(input) && budget.allowProbe());
    if (!mayResend) {
      const resolve = isLost ? policy?.resolveLost : policy?.resolveConflict;
      if (resolve) {
        const { data: value, ...response } = await resolve({ operation, input, error, ...more });
        return { value, response };
      }
      throw isLost ? outcomeUnknown(title, error, mayBeDone) : error;
    }
    const outcome = await sendAttempt(call, budget.isNext);
    if ('value' in outcome) return outcome;
    failure = outcome;
  }
}

const mayBeDone = {
  summary: 'got no clear response, so it may have gone through',
  remedy: 'Retrying may do it twice.',
  isRetryable: false,
};

/** Whether the same request may succeed later, and sending it again does no harm. */
function isTransient({ error, applied }: Failure, recovery: Recovery): boolean {
  const { code, status } = error;
  // Without a status, the client itself refused to wait so long.
  if (code === 'rate_limited') return status !== undefined;
  const isPassing =
    status === undefined
      ? error.isRetryable
      : retryableStatuses.has(status) ||
        // Nothing was applied when it is of a token request.
        (status === 500 && (recovery === 'resend' || applied === 'no'));
  return isPassing && (applied === 'no' || recovery !== 'none');
}

/** What a call may still spend on retries. */
class RetryBudget {
  readonly #call: OngoingCall;
  #attempts = 1;
  #waitedMs = 0;
  #hasRenewed = false;
  #hasProbed = false;

  constructor(call: OngoingCall) {
    this.#call = call;
  }

  /**
   * A call goes to the head of the queue after its first refusal, or it would be refused again at
   * the end of a window. After a second refusal it lets other calls go first.
   */
  get isNext(): boolean {
    return this.#call.refusals === 1;
  }

  /** Allows one retry with another token; a second refusal is final. */
  renewToken(refused: string, { status }: ScreenAdvertisingError): boolean {
    const { access, operation } = this.#call;
    const { tokens } = access;
    const isRenewed = this.#hasRenewed;
    this.#hasRenewed = true;
    if (status === 403) return tokens?.forbid(refused, operation.scopes, isRenewed) ?? false;
    if (!isRenewed) tokens?.refuse(refused);
    return tokens !== undefined && !isRenewed;
  }

  /** Allows one more attempt at once, whose response shows what became of the earlier ones. */
  allowProbe(): boolean {
    if (this.#hasProbed || this.#attempts >= this.#call.retry.attempts) return false;
    this.#attempts += 1;
    this.#hasProbed = true;
    return this.#allows(0);
  }

  /** Waits before a retry. Resolves with false at once when the budget does not allow one. */
  waitToRetry({ error, pauseMs }: Failure): Promise<boolean> {
    // A 429 costs no attempt, since nothing was processed.
    return pauseMs === undefined ? this.#backOff(error) : this.#sleep(pauseMs);
  }

  async #backOff(error: ScreenAdvertisingError): Promise<boolean> {
    if (this.#attempts >= this.#call.retry.attempts) return false;
    const hasSlept = await this.#sleep(pauseFor(error, this.#attempts));
    // Where no wait is allowed, the attempt is left for a probe.
    if (hasSlept) this.#attempts += 1;
    return hasSlept;
  }

  /** Whether the call may wait this long before its next attempt. */
  #allows(ms: number): boolean {
    const { transport, retry, deadline } = this.#call;
    const isInTime = !deadline || transport.clock.now() + ms < deadline.at;
    return isInTime && this.#waitedMs + ms <= retry.maxWaitMs;
  }

  async #sleep(ms: number): Promise<boolean> {
    const { transport, deadline, signal } = this.#call;
    if (!this.#allows(ms)) return false;
    this.#waitedMs += ms;
    try {
      await transport.clock.sleep(ms, signal);
      return true;
    } catch (error) {
      // A clock of the caller may reject with another error than the reason.
      const reason: unknown = signal?.aborted ? signal.reason : error;
      if (deadline && reason === deadline.reason) return false;
      throw reason;
    }
  }
}
