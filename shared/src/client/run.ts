import { defaultTransport } from '#default-transport';
import { callOptionSynonyms, refuseUnknownOptions } from '#habits';
import { unlessAborted } from '../abort.ts';
import type { Endpoint, RecoveryContext } from '../catalogue/operation.ts';
import { ConfigurationError } from '../errors/error-classes.ts';
import { noteFailedCall, ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import type { Transport } from '../transport/transport.ts';
import {
  deadlineFailure,
  type OngoingCall,
  operationLabel,
  recoverFailedCall,
  sendAttempt,
  startDeadline,
} from './attempts.ts';
import type { Auth, FixedTokenAuth } from './auth.ts';

import type { RespondingPeer } from './error-from-response.ts';
import {
  type AttemptHook,
  type AttemptOptions,
  checkMilliseconds,
  checkOptionTypes,
  type HeaderFields,
  invalidOptionError,
  type NumericClientOptions,
  type RequestHook,
  readHeaders,
  withDefaultSettings,
} from './options.ts';

import { acceptHeader, buildRequest, parseInput, userAgentOf } from './request.ts';
import { sharedAccess } from './shared-access.ts';

/** How a client sends its requests. */
export interface SendOptions extends AttemptOptions {
  /** Default: `nodeTransport()`, with one pool of connections per process; without Node.js, `fetchTransport()`. */
  readonly transport?: Transport;
  /** Headers of every request, except `authorization`. Default: none. */
  readonly headers?: HeaderFields;
  /** Your program in the header `user-agent`, such as `my-app/1.2`. Default: this package alone. */
  readonly userAgent?: string;
  /** Called before every request of an operation; adds what it returns to the headers. Default: none. */
  readonly beforeRequest?: RequestHook;
  /**
   * Milliseconds for everything in one call, list or search; a call may set its own. Default: no
   * limit.
   */
  readonly deadlineMs?: number | undefined;
  /** Called after every request, also one for an access token. What it throws is ignored. Default: none. */
  readonly onAttempt?: AttemptHook;
}

const attemptOptions = ['retry', 'timeoutMs', 'headers'] as const;
export const sendOptions: readonly (keyof SendOptions)[] = [
  ...attemptOptions,
  'transport',
  'userAgent',
  'beforeRequest',
  'deadlineMs',
  'onAttempt',
];

/** Options of one call, to the service or to the relay. */
export interface RequestOptions extends AttemptOptions {
  /** Cancels the call at any moment; it then rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for everything in the call: a token, the rate limit, retries, and all pages of a
   * list. Default: that of the client.
   */
  readonly deadlineMs?: number | undefined;
  /** Further headers of its requests, except `authorization`. Default: those of the client. */
  readonly headers?: HeaderFields | undefined;
}

/** Options of one call. */
export interface CallOptions extends RequestOptions {
  /**
   * If the record to create already exists, with the caller's own key and the same fields, return
   * it instead of a conflict. Makes create idempotent for callers that may rerun. Default: false.
   */
  readonly adoptExisting?: boolean | undefined;
}

const ownOptions: readonly (keyof CallOptions)[] = [
  'signal',
  'deadlineMs',
  ...attemptOptions,
  'adoptExisting',
];

interface RunOptions extends SendOptions, NumericClientOptions {
  /** Already checked. */
  readonly baseUrl: string;
  readonly auth: Auth | FixedTokenAuth;
  readonly peer: RespondingPeer;
}

/** A result with its response. */
export interface CallResult<Data> {
  /** The record, or the page of a list. */
  readonly data: Data;
  /** HTTP status, such as 200. */
  readonly status: number;
  /** Lower-case names; a header sent several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests that the call sent for its operation, including retries. */
  readonly attempts: number;
}

/** Sends a request until it succeeds, fails for good, or uses up its budget. */
export interface SendCall {
  /** `endsAt` is the clock time at which it must have ended, if it is a part of something longer. */
  (
    endpoint: Endpoint,
    fields: unknown,
    options?: CallOptions,
    endsAt?: number,
  ): Promise<CallResult<unknown>>;
  /** Clock time at which something with these options must have ended; undefined for never. */
  endOf(options: CallOptions | undefined): number | undefined;
  /** Starts a deadline for several calls; without `deadlineMs`, none. */
  startDeadline(title: string, options: DeadlineOptions): CallsDeadline;
}

/** The options of `startDeadline`. */
export type DeadlineOptions = Pick<RequestOptions, 'deadlineMs' | 'signal'>;

/** The deadline of several calls. */
export interface CallsDeadline {
  /** For each of the calls. Aborts with the caller's signal or at the deadline. */
  readonly signal: AbortSignal | undefined;
  /** Call this when the calls have ended. */
  stop(): void;
}

/** Creates what every client sends with. Throws ConfigurationError for invalid options. */
export function createSendCall(options: RunOptions): SendCall {
  checkOptionTypes(options);
  const { baseUrl, auth, peer, onAttempt, beforeRequest } = options;
  const transport = options.transport ?? defaultTransport();
  const { clock } = transport;
  const { limit } = withDefaultSettings(options);
  const access = sharedAccess(clock, baseUrl, auth, limit);
  const shared = { access, peer, transport, onAttempt, beforeRequest };
  const headers = headersOf(transport, options);
  if (options.deadlineMs !== undefined) checkMilliseconds('deadlineMs', options.deadlineMs);
  const endOf: SendCall['endOf'] = ({ deadlineMs = options.deadlineMs } = {}) =>
    deadlineMs === undefined ? undefined : clock.now() + deadlineMs;
  const send = async (
    operation: Endpoint,
    fields: unknown,
    callOptions?: CallOptions,
    endsAt = endOf(callOptions),
  ): Promise<CallResult<unknown>> => {
    let ongoing: OngoingCall | undefined;
    try {
      if (callOptions !== undefined) checkCall(operation, fields, callOptions);
      const { signal: aborts, deadlineMs: _, adoptExisting = false, ...more } = callOptions ?? {};
      const { retry, timeoutMs } = callSettings(options, more);
      const input = parseInput(operation, fields) as Record<string, unknown>;
      const all = more.headers ? { ...headers, ...readHeaders(more.headers) } : headers;
      const request = buildRequest(baseUrl, operation, input, all);
      const { title } = operation;
      const leftMs = endsAt === undefined ? undefined : endsAt - clock.now();
      if (leftMs !== undefined && leftMs <= 0) throw deadlineFailure(title, 'no');
      const deadline =
        leftMs === undefined ? undefined : startDeadline(title, leftMs, clock, aborts);
      const signal = deadline?.signal ?? aborts;
      ongoing = {
        ...shared,
        operation,
        input,
        request,
        retry,
        timeoutMs,
        deadline,
        signal,
        attempts: 0,
        refusals: 0,
        waitsSince: onAttempt ? clock.now() : 0,
        sentAt: 0,
        hasEndedUnsent: false,
      };
      const call: RecoveryContext['call'] = (another, known) =>
        send(another, known, { ...more, signal }, endsAt);
      const first = await sendAttempt(ongoing);
      const { value, response } =
        'error' in first ? await recoverFailedCall(ongoing, first, { adoptExisting, call }) : first;
      const { status, headers: received } = response;
      return { data: value, status, headers: received, attempts: ongoing.attempts };
    } catch (error) {
      if (ScreenAdvertisingError.isInstance(error)) {
        noteFailedCall(error, {
          operation: operationLabel(operation),
          attempts: ongoing?.attempts ?? 0,
        });
      }
      throw error;
    } finally {
      const { saved } = access.tokens ?? {};
      if (saved) await unlessAborted(saved, ongoing?.signal).catch(() => undefined);
      ongoing?.deadline?.stop();
    }
  };
  return Object.assign(send, {
    endOf,
    startDeadline: (
      title: string,
      { deadlineMs = options.deadlineMs, signal }: DeadlineOptions,
    ): CallsDeadline => {
      if (deadlineMs === undefined) return { signal, stop: () => undefined };
      checkMilliseconds('deadlineMs', deadlineMs);
      return startDeadline(title, deadlineMs, clock, signal);
    },
  });
}

/** The headers of every request of a client. */
function headersOf(transport: Transport, { userAgent: own, headers }: RunOptions) {
  const name = userAgentOf(transport, own);
  return { ...acceptHeader, ...(name && { 'user-agent': name }), ...readHeaders(headers) };
}

/** Throws ConfigurationError for options that cannot work, and the reason of an aborted signal. */
function checkCall(operation: Endpoint, fields: unknown, options: CallOptions): void {
  refuseUnknownOptions(options, 'a call', ownOptions, callOptionSynonyms);
  const { signal, deadlineMs, adoptExisting } = options;
  if (signal && typeof signal.throwIfAborted !== 'function') {
    throw invalidOptionError('signal', 'be an AbortSignal');
  }
  signal?.throwIfAborted();
  if (deadlineMs !== undefined) checkMilliseconds('deadlineMs', deadlineMs);
  if (adoptExisting) requireOwnKey(operation, fields);
}

/** Without it, the record that the caller means is unknown. */
function requireOwnKey(operation: Endpoint & { callerKey?: string }, fields: unknown): void {
  const { callerKey } = operation;
  if (callerKey && isRecord(fields) && fields[callerKey] !== undefined) return;
  throw new ConfigurationError(
    'adoptExisting',
    'adoptExisting works only for a record with your own key, such as Create Coupon with a code.',
  );
}

/** The settings of a call: its own, and otherwise those of its client. */
function callSettings(
  base: NumericClientOptions,
  own: AttemptOptions,
): ReturnType<typeof withDefaultSettings> {
  const { retry = base.retry, timeoutMs = base.timeoutMs } = own;
  return withDefaultSettings({
    retry: retry && base.retry ? { ...base.retry, ...retry } : retry,
    timeoutMs,
  });
}
