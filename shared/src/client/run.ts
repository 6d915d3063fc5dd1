import type { Endpoint, FailedCall } from '../catalogue/operation.ts';
import type { Clock } from '../clock.ts';
import type { Transport } from '../transport/transport.ts';
import type { Auth, ConnectorKeyAuth } from './auth.ts';
import type { CallOptions } from './call.ts';
import { startDeadline } from './deadline.ts';
import { defaultTransport } from './default-transport.ts';
import type { Peer } from './error-from-response.ts';
import type { RateLimit } from './fair-share.ts';
import type { OngoingCall } from './ongoing-call.ts';
import { recover } from './recover.ts';
import { buildRequest, parseInput } from './request.ts';
import type { RetryPolicy } from './retry.ts';
import { sendOnce } from './send-once.ts';
import { milliseconds, settingsOf } from './settings.ts';
import { sharedAccess } from './shared-access.ts';

/** How a client sends its requests. */
export interface SendOptions {
  /** Default, in Node.js only: a transport over `node:http` with at most 100 requests under way. */
  readonly transport?: Transport;
  /** Default: the clock of the transport. */
  readonly clock?: Clock;
  /** `false`: every failure is final, except that an expired token is still renewed once. */
  readonly retry?: false | Partial<RetryPolicy>;
  /**
   * Default: 600 requests in 60,000 ms (section 8). Processes that share an access find their
   * shares automatically; set `requests` if you know the share of this process. `false`: the limit
   * is enforced elsewhere, and a 429 does not pause other calls.
   */
  readonly rateLimit?: false | Partial<RateLimit>;
  /** Milliseconds for one attempt, from connecting to the last byte; default 30,000. */
  readonly timeoutMs?: number;
}

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
      const outcome = await sendOnce(ongoing);
      if ('error' in outcome) {
        const further: FailedCall['call'] = (another, known) => run(another, known, { signal });
        return await recover(ongoing, outcome, { adoptExisting, call: further });
      }
      access.quota.earn();
      return outcome.value;
    } finally {
      deadline?.stop();
    }
  };
  return run;
}
