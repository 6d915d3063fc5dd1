import { type ErrorCode, ScreenAdvertisingError } from '@screen-advertising/core';
import type { ZObject } from 'zapier-platform-core';
import { messageOf } from './message.ts';
import type { Step } from './step.ts';

export interface ErrorOptions {
  /** Codes that end the run without counting as its failure, besides those that always do. */
  readonly haltOn?: readonly ErrorCode[];
  /** Seconds: how much longer than the service asks a throttled run waits at most, at random. */
  readonly spreadSeconds?: number;
  /** While a connection is made, refused credentials are a message in its form. */
  readonly isConnecting?: boolean;
}

/**
 * Turns the core's errors into those that Zapier acts on; all others pass through.
 *
 * - ThrottledError: Zapier runs the step again after the delay.
 * - HaltedError: the run ends, is not repeated, and never switches a Zap off.
 * - ExpiredAuthError: Zapier asks the owner to connect again.
 * - Error: the run failed, and can be replayed.
 */
export function toZapierError(
  z: ZObject,
  error: unknown,
  step: Step,
  options: ErrorOptions = {},
): unknown {
  if (!ScreenAdvertisingError.isInstance(error)) return error;
  return withoutLog(mapped(z, error, messageOf(error, step), options));
}

function mapped(
  z: ZObject,
  error: ScreenAdvertisingError,
  message: string,
  options: ErrorOptions,
): Error {
  const { code } = error;
  if (code === 'rate_limited') return new z.errors.ThrottledError(message, delayOf(error, options));
  if (isHalt(error, options)) return new z.errors.HaltedError(message);
  if (code === 'authentication_failed' && !options.isConnecting) {
    const says = /\bconnect again\b/i.test(message) ? message : `${message} Then connect again.`;
    return new z.errors.ExpiredAuthError(says);
  }
  return new z.errors.Error(message, typeOf(error), error.status);
}

/** What another run of the same step would only meet again, and its owner need not hear of. */
function isHalt({ code }: ScreenAdvertisingError, { haltOn = [] }: ErrorOptions): boolean {
  return ['conflict', 'webhook_verification_failed', ...haltOn].includes(code);
}

/** The service's own word for the problem, unless the problem is that nobody knows. */
function typeOf({ code, problem }: ScreenAdvertisingError): string {
  return code === 'outcome_unknown' ? code : (problem?.type ?? code);
}

/** Zapier takes whole seconds; without any it chooses a delay itself. */
function delayOf(
  { retryAfter }: ScreenAdvertisingError,
  { spreadSeconds = 0 }: ErrorOptions,
): number | undefined {
  return retryAfter === undefined
    ? undefined
    : Math.ceil(retryAfter + Math.random() * spreadSeconds);
}

/** Without this mark zapier-platform-core appends its log of requests and answers to the message. */
function withoutLog(error: Error): Error {
  return Object.assign(error, { doNotContextify: true });
}
