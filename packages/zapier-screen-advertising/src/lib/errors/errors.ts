import { ScreenAdvertisingError, WebhookVerificationError } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { messageOf, type Step } from './error-message.ts';

export interface ErrorOptions {
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
 * - HaltedError: the run ends, and Zapier notifies no one. Only for what needs no person: a delivery
 *   without a signature comes from a stranger, and a step may find its work done (`halt`).
 * - ExpiredAuthError: Zapier asks the owner to connect again.
 * - Error: the run failed, Zapier notifies its owner, who can replay it. Zapier may do so automatically
 *   (autoreplay), which does no harm: coupons are found again, and revoked once.
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
  if (isFromStranger(error)) return new z.errors.HaltedError(message);
  if (code === 'authentication_failed' && !options.isConnecting) {
    const says = /\bconnect again\b/i.test(message) ? message : `${message} Then connect again.`;
    return new z.errors.ExpiredAuthError(says);
  }
  return new z.errors.Error(message, typeOf(error), error.status);
}

/** The service says when to retry. */
function isThrottle({ code, retryAfter }: ScreenAdvertisingError): boolean {
  const isOverload = code === 'service_error' || code === 'outcome_unknown';
  return code === 'rate_limited' || (isOverload && retryAfter !== undefined);
}

/** Any other delivery that is refused is a lost event, of which its owner must hear. */
function isFromStranger(error: ScreenAdvertisingError): boolean {
  return error instanceof WebhookVerificationError && error.reason === 'missing_signature';
}

/** Ends a run whose work is done already. Zapier notifies no one, so this must have been read. */
export function halt(z: ZObject, why: string): Error {
  return withoutLog(new z.errors.HaltedError(why));
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
