import type * as z from 'zod/mini';
import { defaultTransport } from '#default-transport';
import type { Endpoint, FailedCall, Operation } from '../catalogue/operation.ts';
import type { Clock } from '../clock.ts';
import type { Transport } from '../transport/transport.ts';
import { type OngoingCall, sendAttempt } from './attempt.ts';
import type { Auth, ConnectorKeyAuth } from './auth.ts';
import { startDeadline } from './deadline.ts';
import type { Peer } from './error-from-response.ts';
import { recover } from './recovery.ts';
import { buildRequest, parseInput } from './request.ts';
import type { ResultOf } from './response.ts';
import { milliseconds, type Settings, settingsOf } from './settings.ts';
import { sharedAccess } from './shared-access.ts';

/** How a client sends its requests. */
export interface SendOptions extends Settings {
  /** Default: `nodeTransport()`, with one pool of connections per process; without Node.js, `fetchTransport()`. */
  readonly transport?: Transport;
  /** Replaces the transport's clock in tests. Default: `transport.clock`. */
  readonly clock?: Clock;
}

/** How long a call may take, and what may cancel it. */
export interface CallOptions {
  /** Cancels the call at any moment; it then rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call, including retries and waiting for the rate limit. `pages` and
   * `items` make one call per page. Default: no limit.
   */
  readonly deadlineMs?: number;
  /**
   * If the record to create already exists, with the caller's own key and the same fields, return
   * it instead of a conflict. Makes create idempotent for callers that may rerun. Default: false.
   */
  readonly adoptExisting?: boolean;
}

/**
 * Runs an operation. Resolves with the untouched record, or with `{ data, pagination }` for lists.
 * Rejects with InputError, ProblemError, ResponseError, TransportError, OutcomeUnknownError,
 * RateLimitError or, for a deadline that cannot work, ConfigurationError; all of them are
 * ScreenAdvertisingError. Anything else that the transport or a token store throws passes through.
 */
export type Call = <Op extends Operation>(
  operation: Op,
  input: z.input<Op['input']>,
  options?: CallOptions,
) => Promise<ResultOf<Op>>;

interface RunOptions extends SendOptions {
  /** Already checked. */
  readonly baseUrl: string;
  readonly auth: Auth | ConnectorKeyAuth;
  readonly peer: Peer;
}

/** Sends a request until it succeeds, fails for good, or uses up its budget. Returns the result. */
export type Run = (endpoint: Endpoint, fields: unknown, options?: CallOptions) => Promise<unknown>;

/** Creates what every client sends with. Throws ConfigurationError for invalid options. */
export function createRun(options: RunOptions): Run {
  const { baseUrl, auth, peer } = options;
  const given = options.transport ?? defaultTransport();
  const { clock = given.clock } = options;
  const transport = clock === given.clock ? given : { clock, send: given.send.bind(given) };
  const { retry, limit, timeoutMs } = settingsOf(options);
  const access = sharedAccess(clock, baseUrl, auth, limit);
  const always = { access, peer, transport, retry, timeoutMs };

  const run: Run = async (
    operation,
    fields,
    { signal: aborts, deadlineMs, adoptExisting = false } = {},
  ) => {
    aborts?.throwIfAborted();
    if (deadlineMs !== undefined) milliseconds('deadlineMs', deadlineMs);
    const input = parseInput(operation, fields) as Record<string, unknown>;
    const request = buildRequest(baseUrl, operation, input);
    const { title } = operation;
    const deadline =
      deadlineMs === undefined ? undefined : startDeadline(title, deadlineMs, clock, aborts);
    const signal = deadline ? deadline.signal : aborts;
    const ongoing: OngoingCall = { ...always, operation, input, request, deadline, signal };
    try {
      const outcome = await sendAttempt(ongoing);
      if ('error' in outcome) {
        const call: FailedCall['call'] = (another, known) => run(another, known, { signal });
        return await recover(ongoing, outcome, { adoptExisting, call });
      }
      access.quota.earn();
      return outcome.value;
    } finally {
      deadline?.stop();
    }
  };
  return run;
}
