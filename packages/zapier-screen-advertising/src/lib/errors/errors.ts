import {
  type ErrorCode,
  ScreenAdvertisingError,
  WebhookVerificationError,
} from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { messageOf, type Step } from './error-message.ts';

export interface ErrorOptions {
  /**
   * Codes that end the run without counting as its failure, in addition to those that always do.
   */
  readonly haltOn?: readonly ErrorCode[];
  /** Seconds: the most that a throttled run waits, at random, beyond what the service asks. */
  readonly spreadSeconds?: number;
  /** While the user connects, refused credentials are a message in the form. */
  readonly isConnecting?: boolean;
}

type Run<Result> = (z: ZObject, bundle: Bundle) => Promise<Result>;

/** Makes a function of the app throw the errors that Zapier acts on, naming its step. */
export function withZapierErrors<Result>(
  run: Run<Result>,
  step: Step,
  options: ErrorOptions = {},
): Run<Result> {
  return async (z, bundle) => {
    try {
      return await run(z, bundle);
    } catch (error) {
      throw toZapierError(z, error, step, options);
    }
  };
}

/**
 * Turns the core's errors into the ones that Zapier acts on; all others pass through, without the
 * log of the run, which holds the input.
 *
 * - ThrottledError: Zapier runs the step again after the delay.
 * - HaltedError: the run ends, is not retried, and never switches a Zap off.
 * - ExpiredAuthError: Zapier asks the owner to connect again.
 * - Error: the run failed, and can be replayed. Zapier may do so automatically (autoreplay).
 */
export function toZapierError(
  z: ZObject,
  error: unknown,
  step: Step,
  options: ErrorOptions = {},
): unknown {
  if (!ScreenAdvertisingError.isInstance(error)) {
    return error instanceof Error ? withoutLog(error) : error;
  }
  return withoutLog(mapped(z, error, messageOf(error, step), options));
}

function mapped(
  z: ZObject,
  error: ScreenAdvertisingError,
  message: string,
  options: ErrorOptions,
): Error {
  const { code } = error;
  if (isThrottle(error)) return new z.errors.ThrottledError(message, delayOf(error, options));
  if (isHalt(error, options)) return new z.errors.HaltedError(message);
  if (code === 'authentication_failed' && !options.isConnecting) {
    const says = /\bconnect again\b/i.test(message) ? message : `${message} Then connect again.`;
    return new z.errors.ExpiredAuthError(says);
  }
  return new z.errors.Error(message, typeOf(error), error.status);
}

/** The service says when to retry, and a retry does no harm. */
function isThrottle({ code, isRetryable, retryAfter }: ScreenAdvertisingError): boolean {
  const isOverload = code === 'service_error' || code === 'outcome_unknown';
  return code === 'rate_limited' || (isOverload && isRetryable && retryAfter !== undefined);
}

/**
 * Errors that another run of the same step would only meet again, and that its owner need not see:
 * a delivery without a signature came from a stranger. Any other that is refused is a lost event, and
 * halted runs notify no one. A change that may have been made must not be replayed by Zapier itself.
 */
function isHalt(error: ScreenAdvertisingError, { haltOn = [] }: ErrorOptions): boolean {
  if (error.code === 'outcome_unknown') return !error.isRetryable;
  return error instanceof WebhookVerificationError
    ? error.reason === 'missing_signature'
    : ['conflict', ...haltOn].includes(error.code);
}

/** The service's own name for the problem, unless the outcome is unknown. */
function typeOf({ code, problem }: ScreenAdvertisingError): string {
  const isNamed = code !== 'outcome_unknown' && typeof problem?.type === 'string';
  return isNamed ? outsideText(problem.type) : code;
}

/** Zapier takes whole seconds; without a value it chooses the delay. */
function delayOf(
  { retryAfter }: ScreenAdvertisingError,
  { spreadSeconds = 0 }: ErrorOptions,
): number | undefined {
  return retryAfter === undefined
    ? undefined
    : Math.ceil(retryAfter + Math.random() * spreadSeconds);
}

/**
 * Without this mark, zapier-platform-core appends its log of requests and responses to the message.
 */
export function withoutLog(error: Error): Error {
  return Object.assign(error, { doNotContextify: true });
}
