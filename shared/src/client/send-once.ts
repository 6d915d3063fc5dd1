import type { Operation } from '../catalogue/operation.ts';
import { dateOf } from '../clock.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { Transport } from '../transport/transport.ts';
import { readAnswer } from './answer.ts';
import type { Auth } from './auth.ts';
import { type Deadline, deadlineFailure } from './deadline.ts';
import { type CallContext, errorFrom, unusable } from './error-from-response.ts';
import type { Release } from './rate-limit.ts';
import { redactor } from './redact.ts';
import type { PreparedRequest } from './request.ts';
import { isRepeatable, type RetryPolicy } from './retry.ts';
import type { SharedAccess } from './shared-access.ts';

/** A call that is being run, and all that sending its request takes. */
export interface OngoingCall {
  readonly access: SharedAccess;
  readonly transport: Transport;
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly request: PreparedRequest;
  readonly policy: RetryPolicy;
  /** Milliseconds for this try alone. */
  readonly timeoutMs: number;
  readonly deadline: Deadline;
  /** Ends the call: the caller's abort and the deadline. */
  readonly signal: AbortSignal | undefined;
}

/**
 * How a try ended. `isApplied` tells whether the service may have carried the request out:
 * `no` when it was never sent or was refused, `maybe` when the answer was lost.
 */
export type Outcome = { readonly value: unknown } | Failure;

export interface Failure {
  readonly error: ScreenAdvertisingError;
  readonly isApplied: 'no' | 'maybe';
  /** The token that was refused with 401. */
  readonly refusedToken?: string | undefined;
}

/**
 * Sends once, at the head of the queue if `isNext`. Rejects only with errors that are not of this
 * package, and with abort reasons.
 */
export async function sendOnce(call: OngoingCall, isNext: boolean): Promise<Outcome> {
  let token: string | undefined;
  let release: Release | undefined;
  try {
    // Before there is a slot, so that nobody holds one while waiting for a token; and again,
    // because waiting for the slot may have outlasted the token.
    await bearer(call);
    release = await slot(call, isNext);
    token = await bearer(call);
  } catch (error) {
    release?.();
    return { error: notSent(error, call), isApplied: 'no' };
  }
  try {
    const outcome = await send(call, token);
    if ('error' in outcome && outcome.error.code === 'rate_limited') release?.('refused');
    return outcome;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { error, isApplied: error.sent };
  } finally {
    release?.();
  }
}

async function slot(
  { access, signal, deadline, policy }: OngoingCall,
  isNext: boolean,
): Promise<Release | undefined> {
  const { maxWaitMs: maxPauseMs } = policy;
  return access.limiter?.acquire({ signal, latest: deadline.at, maxPauseMs, isNext });
}

async function bearer(call: OngoingCall): Promise<string | undefined> {
  const { access, transport, timeoutMs, signal, deadline, policy } = call;
  if (access.auth.kind === 'api-key') return access.auth.key;
  const latest = Math.min(deadline.at, transport.clock.now() + policy.maxWaitMs);
  return access.tokens?.get({ transport, timeoutMs, signal, latest });
}

/** The error of a try that ended before its own request was sent, whatever else was. */
function notSent(error: unknown, { operation, deadline }: OngoingCall): ScreenAdvertisingError {
  if (!ScreenAdvertisingError.isInstance(error)) throw error;
  if (error === deadline.reason) return deadlineFailure(operation.title, 'no');
  if (!(error instanceof TransportError)) return error;
  return new TransportError(
    `${operation.title} was not sent, because no access token could be fetched. ${error.message}`,
    { code: error.code, sent: 'no', isRetryable: error.isRetryable, cause: error },
  );
}

async function send(call: OngoingCall, token: string | undefined): Promise<Outcome> {
  const { transport, operation, input, request, timeoutMs, signal } = call;
  const response = await transport.send({
    ...request,
    headers: token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers,
    timeoutMs,
    isRepeatable: isRepeatable(operation),
    ...(signal && { signal }),
  });
  const { status } = response;
  const isSuccess = status >= 200 && status < 300;
  const value = isSuccess ? readAnswer(operation, input, response) : undefined;
  if (value !== undefined) return { value };
  const context = await contextOf(call, token);
  if (isSuccess) return { error: unusable(response, context), isApplied: 'maybe' };
  const isRefused = status >= 300 && status < 500 && status !== 408;
  return {
    error: errorFrom(response, context),
    isApplied: isRefused ? 'no' : 'maybe',
    refusedToken: status === 401 ? token : undefined,
  };
}

async function contextOf(
  { access, operation, transport }: OngoingCall,
  token = '',
): Promise<CallContext> {
  return {
    title: operation.title,
    scopes: operation.scopes,
    now: dateOf(transport.clock),
    redact: redactor([...(await secretsOf(access.auth)), token]),
  };
}

async function secretsOf(auth: Auth): Promise<readonly string[]> {
  if (auth.kind === 'platform') return auth.secrets?.() ?? [];
  return auth.kind === 'client-credentials' ? [auth.clientSecret] : [];
}
