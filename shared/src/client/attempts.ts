import { noCallerLeftReason, onAbort, unlessAborted } from '../abort.ts';
import type { Endpoint, Recovery, RecoveryContext } from '../catalogue/operation.ts';
import { type Clock, currentTimeMs } from '../clock.ts';
import { outcomeUnknown, ProblemError, TransportError } from '../errors/error-classes.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import {
  errorFromResponse,
  type RespondingPeer,
  retryableStatuses,
  unusableResponseError,
} from './error-from-response.ts';
import {
  type AttemptHook,
  callHook,
  type RequestHook,
  type RetryPolicy,
  readHeaders,
} from './options.ts';
import { type ReleaseSlot, retryPauseMs } from './rate-limit.ts';
import { createRedact } from './redact.ts';
import { type PreparedRequest, parseResponse } from './request.ts';
import type { SharedAccess } from './shared-access.ts';
import type { TokenSource } from './tokens.ts';

/** A call in progress, with everything needed to send its request. */
export interface OngoingCall {
  readonly access: SharedAccess;
  readonly peer: RespondingPeer;
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
  /** Whether the signal ended the last request before anything was sent. */
  hasEndedUnsent: boolean;
}

/** How an attempt ended. */
type Outcome = Success | Failure;

interface Success {
  readonly value: unknown;
  readonly response: Pick<TransportResponse, 'status' | 'headers'>;
}

interface Failure {
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
  let release: ReleaseSlot | undefined;
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
    outcome = call.hasEndedUnsent ? failureBeforeSend(error, call) : { error, applied: error.sent };
  } finally {
    release?.(outcome && 'pauseMs' in outcome ? outcome.pauseMs : undefined);
    if (call.hasEndedUnsent) call.attempts -= 1;
    else if (call.onAttempt) report(call, outcome);
  }
  return outcome;
}

/** The name of an operation in errors and hooks. */
export function operationLabel({ name, title }: Endpoint): string {
  return name ?? title;
}

/** The part of an `Attempt` that is known before its request is sent. */
function aboutAttempt({ operation, attempts: attempt }: OngoingCall) {
  const { method, path } = operation;
  return { operation: operationLabel(operation), attempt, method, path };
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
  callHook(onAttempt, {
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
      call.hasEndedUnsent = true;
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
function failureFromResponse(
  call: OngoingCall,
  response: TransportResponse,
  token: string | undefined,
): Failure {
  const { access, peer, operation, transport } = call;
  const { status } = response;
  const { title, path, scopes } = operation;
  const redact = createRedact([...secretsOf(call), token ?? '']);
  const context = {
    peer,
    title,
    path,
    scopes,
    hasScope: token === undefined ? undefined : access.tokens?.hasScope(token, scopes),
    now: currentTimeMs(transport.clock),
    redact: (text: string) => peer.quoted(redact(text)),
  };
  if (status < 300) return { error: unusableResponseError(response, context), applied: 'maybe' };
  const isRefused = status < 500 && status !== 408;
  const error = errorFromResponse(response, context);
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
  return { pauseMs: retryPauseMs(error, call.refusals) };
}

function secretsOf({ access }: OngoingCall): readonly string[] {
  const { auth } = access;
  if (auth.kind === 'client-credentials') return [auth.clientSecret];
  if (auth.kind === 'api-key') return [];
  return auth.kind === 'token' ? auth.secrets : (auth.secrets?.() ?? []);
}

/**
 * Retries a call whose first attempt failed, until it succeeds, fails for good, or runs out of
 * attempts or time. The operation's policy may find the record of a request whose response was lost.
 */
export async function recoverFailedCall(
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

/** The attempts and the time that a call has left for retries. */
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
    const hasSlept = await this.#sleep(retryPauseMs(error, this.#attempts));
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

/** When a call must have ended. */
interface Deadline {
  /** Clock time. */
  readonly at: number;
  /** The abort reason of the signal, once the time is up. */
  readonly reason: TransportError | undefined;
  /** Aborts with the caller's signal or at the deadline, so the call outlasts neither. */
  readonly signal: AbortSignal;
  /** Call this when the call has ended. */
  stop(): void;
}

/** The deadline ended a call before its request was sent, or before the response was complete. */
export function deadlineFailure(title: string, sent: 'no' | 'maybe'): TransportError {
  const what = sent === 'no' ? 'was not sent' : 'got no complete response';
  const remedy = 'Retry later, or allow more time.';
  return new TransportError(`${what} before the deadline of the call`, {
    code: 'timeout',
    sent,
    title,
    remedy,
  });
}

/** Starts the time of a call. `signal` may end the call sooner. */
export function startDeadline(
  title: string,
  deadlineMs: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Deadline {
  const call = new AbortController();
  const done = new AbortController();
  const leave = onAbort(signal, () => call.abort(signal?.reason));
  const deadline: Deadline & { reason: TransportError | undefined } = {
    at: clock.now() + deadlineMs,
    reason: undefined,
    signal: call.signal,
    stop() {
      done.abort(noCallerLeftReason);
      leave();
    },
  };
  clock.sleep(deadlineMs, done.signal).then(
    () => {
      deadline.reason = deadlineFailure(title, 'maybe');
      call.abort(deadline.reason);
    },
    () => undefined,
  );
  return deadline;
}
