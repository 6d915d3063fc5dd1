import type { Endpoint } from '../catalogue/operation.ts';
import { timestampOf } from '../clock.ts';
import { ProblemError, TransportError } from '../errors/error-classes.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import { type AttemptHook, notify, type RequestHook } from './attempt-hook.ts';
import { pauseFor } from './backoff.ts';
import { type Deadline, deadlineFailure } from './deadline.ts';
import { errorFrom, type Peer, unusable } from './error-from-response.ts';
import { type RetryPolicy, readHeaders } from './options.ts';
import type { Release } from './rate-limit.ts';
import { type Redact, redactor } from './redact.ts';
import { type PreparedRequest, parseResponse } from './request.ts';
import type { SharedAccess } from './shared-access.ts';
import { fromStore, unlessAborted } from './shared-work.ts';
import type { TokenSource } from './token-source.ts';

/** A call in progress, with everything needed to send its request. */
export interface OngoingCall {
  readonly access: SharedAccess;
  readonly peer: Peer;
  readonly transport: Transport;
  readonly operation: Endpoint;
  readonly onAttempt: AttemptHook | undefined;
  readonly beforeRequest: RequestHook | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly request: PreparedRequest;
  readonly retry: Required<RetryPolicy>;
  /** Milliseconds for each single attempt. */
  readonly timeoutMs: number;
  /** Undefined when the caller set none. */
  readonly deadline: Deadline | undefined;
  /** Aborts with the caller's signal or at the deadline. */
  readonly signal: AbortSignal | undefined;
  /** Requests sent so far. */
  attempts: number;
  /** How many of them were refused with a 429. */
  refusals: number;
  /** Clock time at which the next request began to wait. Only measured for a hook, as is the next. */
  waitsSince: number;
  /** Clock time at which the last request was sent. */
  sentAt: number;
  /** The signal ended the last request before anything was sent. */
  isUnsent: boolean;
}

/** How an attempt ended. */
export type Outcome = Success | Failure;

export interface Success {
  readonly value: unknown;
  readonly response: Pick<TransportResponse, 'status' | 'headers'>;
}

export interface Failure {
  readonly error: ScreenAdvertisingError;
  /**
   * Whether the service may have carried out the request: `no` when it was never sent or was
   * refused, `maybe` when the response was lost.
   */
  readonly applied: 'no' | 'maybe';
  /** The token that was refused with 401 or 403. */
  readonly refusedToken?: string | undefined;
  /** After a 429: milliseconds to wait before the next attempt. */
  readonly pauseMs?: number;
}

/**
 * Sends the request once, from the head of the queue if `isNext`. Rejects only with errors from
 * outside this package, and with abort reasons.
 */
export async function sendAttempt(call: OngoingCall, isNext = false): Promise<Outcome> {
  const { access, deadline, retry, signal } = call;
  const { auth, limiter, tokens } = access;
  let token = 'key' in auth ? auth.key : undefined;
  let release: Release | undefined;
  try {
    // Before the slot, so that no caller holds a slot while it waits for a token.
    if (tokens) token = await tokenFor(call, tokens);
    const { maxWaitMs: maxPauseMs } = retry;
    const latest = deadline?.at;
    release = await limiter?.acquire({ signal, latest, maxPauseMs, isNext });
  } catch (error) {
    return failureBeforeSend(error, call);
  }
  noteSending(call);
  let outcome: Outcome | undefined;
  call.attempts += 1;
  try {
    outcome = await exchange(call, token);
  } catch (error) {
    if (!TransportError.isInstance(error)) throw error;
    // It was created in a callback; from here on, the engine finds the line of the caller.
    Error.captureStackTrace?.(error);
    outcome = call.isUnsent ? failureBeforeSend(error, call) : { error, applied: error.sent };
  } finally {
    release?.(outcome && 'pauseMs' in outcome ? outcome.pauseMs : undefined);
    if (call.isUnsent) call.attempts -= 1;
    else if (call.onAttempt) report(call, outcome);
  }
  return outcome;
}

/** The name of an operation in errors and hooks. */
export function nameOf({ name, title }: Endpoint): string {
  return name ?? title;
}

/** What hooks learn of a request. */
function aboutAttempt({ operation, attempts: attempt }: OngoingCall) {
  const { method, path } = operation;
  return { operation: nameOf(operation), attempt, method, path };
}

function noteSending(call: OngoingCall): void {
  if (call.onAttempt) call.sentAt = call.transport.clock.now();
}

function report(call: OngoingCall, outcome: Outcome | undefined): void {
  const { transport, waitsSince, sentAt, onAttempt } = call;
  const now = transport.clock.now();
  const error = outcome && 'error' in outcome ? outcome.error : undefined;
  const status = outcome && 'response' in outcome ? outcome.response.status : error?.status;
  call.waitsSince = now;
  notify(onAttempt, {
    ...aboutAttempt(call),
    status,
    durationMs: now - sentAt,
    waitMs: sentAt - waitsSince,
    error,
  });
}

function tokenFor(call: OngoingCall, tokens: TokenSource): Promise<string> {
  const { transport, timeoutMs, signal, deadline, retry, onAttempt, request } = call;
  const { 'user-agent': userAgent } = request.headers;
  const patience = transport.clock.now() + retry.maxWaitMs;
  const latest = deadline ? Math.min(deadline.at, patience) : patience;
  return tokens.get({ transport, timeoutMs, signal, latest, onAttempt, userAgent });
}

async function exchange(call: OngoingCall, token: string | undefined): Promise<Outcome> {
  const { transport, operation, input, request, timeoutMs, signal } = call;
  const headers = headersOf(call);
  const sent = transport.send({
    ...request,
    headers: token ? { ...headers, authorization: `Bearer ${token}` } : headers,
    timeoutMs,
    ...(signal && { signal }),
    onSend: () => noteSending(call),
    onUnsent: () => {
      call.isUnsent = true;
    },
  });
  // Also if the transport is the caller's, and ignores the signal.
  const response = await unlessAborted(sent, signal);
  const isSuccess = response.status >= 200 && response.status < 300;
  const value = isSuccess ? parseResponse(operation, input, response) : undefined;
  return value === undefined ? failureFromResponse(call, response, token) : { value, response };
}

/** With those that the caller's hook adds. */
function headersOf(call: OngoingCall) {
  const { beforeRequest, request } = call;
  const { headers } = request;
  if (!beforeRequest) return headers;
  const own = beforeRequest({ ...aboutAttempt(call), headers });
  return { ...headers, ...readHeaders(own ?? {}, 'the result of beforeRequest') };
}

/**
 * The failure of an attempt whose own request was never sent, even if a token request was. Rethrows
 * errors from outside this package, and abort reasons.
 */
function failureBeforeSend(error: unknown, call: OngoingCall): Failure {
  const { operation, deadline, signal } = call;
  const { title } = operation;
  if (!ScreenAdvertisingError.isInstance(error)) throw error;
  if (error === deadline?.reason) return { error: deadlineFailure(title, 'no'), applied: 'no' };
  // The deadline of a search that this call is a part of.
  if (signal?.aborted) throw error;
  // A token request may be refused with a 429, too.
  if (ProblemError.isInstance(error)) return { error, applied: 'no', ...afterRefusal(call, error) };
  if (!TransportError.isInstance(error)) return { error, applied: 'no' };
  const { code, isRetryable } = error;
  const failure = { title, code, sent: 'no', isRetryable, cause: error } as const;
  const explained = new TransportError('was not sent: getting an access token failed', failure);
  return { error: explained, applied: 'no' };
}

/** The failure of an attempt whose response is a refusal, a service failure, or unreadable. */
async function failureFromResponse(
  call: OngoingCall,
  response: TransportResponse,
  token: string | undefined,
): Promise<Failure> {
  const { access, peer, operation, transport } = call;
  const { status } = response;
  const { title, path, scopes } = operation;
  const redact = await secretsOf(call).then(
    (secrets) => redactor([...secrets, token ?? '']),
    // What cannot be read could be anywhere.
    (): Redact => (text) => text && '[redacted]',
  );
  const context = {
    peer,
    title,
    path,
    scopes,
    hasScope: token === undefined ? undefined : access.tokens?.hasScope(token, scopes),
    now: timestampOf(transport.clock),
    redact: (text: string) => peer.quoted(redact(text)),
  };
  if (status < 300) return { error: unusable(response, context), applied: 'maybe' };
  const isRefused = status < 500 && status !== 408;
  const error = errorFrom(response, context);
  return {
    error,
    applied: isRefused ? 'no' : 'maybe',
    refusedToken: status === 401 || (status === 403 && error.problem) ? token : undefined,
    ...afterRefusal(call, error),
  };
}

function afterRefusal(call: OngoingCall, error: ScreenAdvertisingError): Pick<Failure, 'pauseMs'> {
  if (error.status !== 429) return {};
  call.refusals += 1;
  return { pauseMs: pauseFor(error, call.refusals) };
}

async function secretsOf(call: OngoingCall): Promise<readonly string[]> {
  const { auth } = call.access;
  if (auth.kind === 'client-credentials') return [auth.clientSecret];
  if (auth.kind === 'api-key' || !auth.secrets) return [];
  if (auth.kind === 'connector-key') return auth.secrets;
  return fromStore(call.transport.clock, auth.secrets);
}
