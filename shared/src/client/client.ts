import type * as z from 'zod/mini';
import type { EndedCall, Operation } from '../catalogue/operation.ts';
import type { Page } from '../catalogue/page.ts';
import type { Clock } from '../clock.ts';
import type { Transport } from '../transport/transport.ts';
import type { Auth } from './auth.ts';
import { parseBaseUrl } from './base-url.ts';
import type { Call, CallOptions } from './call.ts';
import { withinDeadline } from './deadline.ts';
import { defaultTransport } from './default-transport.ts';
import { type Facades, facades } from './facades.ts';
import type { RateLimit } from './fair-share.ts';
import { count, milliseconds } from './option-values.ts';
import { items, pages } from './pages.ts';
import { buildRequest, parseInput } from './request.ts';
import { type RetryPolicy, retryPolicy } from './retry.ts';
import { runCall } from './run-call.ts';
import { sharedAccess } from './shared-access.ts';

/** What `createClient` takes: a base URL and credentials; everything else has a default. */
export interface ClientOptions {
  /** Address of the interface root. A missing `/api/v1` and a slash at its end are mended. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** Default, in Node.js only: one over `node:http`, with at most 100 requests under way. */
  readonly transport?: Transport;
  /** Default: the transport's own. */
  readonly clock?: Clock;
  /** `false`: every failure is final, but a token that ended is still renewed once. */
  readonly retry?: false | Partial<RetryPolicy>;
  /** `false`: somebody else keeps the limit, and a 429 holds back no other call. Default 600 requests in 60,000 ms (section 8). Processes that share an access find their shares by themselves; who knows the one of this process gives it as `requests`. */
  readonly rateLimit?: false | Partial<RateLimit>;
  /** Milliseconds for one try, from connecting to the last byte; default 30,000. */
  readonly timeoutMs?: number;
}

/** A client of one access, as `createClient` makes it. */
export interface Client extends Facades {
  readonly call: Call;
  /**
   * The pages of a list, each fetched when it is asked for. Ends when `has_more` is false. Rejects
   * as `call` does, and with ResponseError when there is more but no new cursor comes.
   */
  pages<Op extends Operation>(
    operation: Op,
    input?: z.input<Op['input']>,
    options?: CallOptions,
  ): AsyncGenerator<Page<z.output<Op['output']>>, void, undefined>;
  /** The records of a list over all of its pages; without `limit` in the largest pages there are. */
  items<Op extends Operation>(
    operation: Op,
    input?: z.input<Op['input']>,
    options?: CallOptions,
  ): AsyncGenerator<z.output<Op['output']>, void, undefined>;
}

const defaultRateLimit: RateLimit = { requests: 600, perMs: 60_000 };
const defaultTimeoutMs = 30_000;

/** A client of the partner interface. Throws ConfigurationError for options that cannot work. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const transport = withClock(options.transport ?? defaultTransport(), options.clock);
  const policy = retryPolicy(options.retry);
  const timeoutMs = milliseconds('timeoutMs', options.timeoutMs ?? defaultTimeoutMs);
  const limit = rateLimit(options.rateLimit);
  const { clock } = transport;
  const access = sharedAccess(clock, baseUrl, options.auth, limit);

  const run = async (
    operation: Operation,
    given: unknown,
    { signal, deadlineMs, adoptExisting = false }: CallOptions = {},
  ): Promise<unknown> => {
    signal?.throwIfAborted();
    if (deadlineMs !== undefined) milliseconds('deadlineMs', deadlineMs);
    const input = parseInput(operation, given) as Record<string, unknown>;
    const request = buildRequest(baseUrl, operation, input);
    const shared = { access, transport, operation, input, request, policy, timeoutMs };
    return withinDeadline(
      { title: operation.title, clock, signal, deadlineMs },
      (deadline, ending) => {
        const further: EndedCall['call'] = (another, fields) =>
          run(another, fields, { ...(ending && { signal: ending }) });
        return runCall({ ...shared, deadline, signal: ending }, { adoptExisting, call: further });
      },
    );
  };

  const call = run as Call;
  return {
    call,
    pages: (operation, input, callOptions) => pages(call, operation, input, callOptions),
    items: (operation, input, callOptions) => items(call, operation, input, callOptions),
    ...facades(call),
  };
}

function withClock(transport: Transport, clock: Clock | undefined): Transport {
  return clock ? { clock, send: (request) => transport.send(request) } : transport;
}

function rateLimit(given: false | Partial<RateLimit> | undefined): RateLimit | undefined {
  if (given === false) return undefined;
  const { requests, perMs, underWay } = { ...defaultRateLimit, ...given };
  return {
    requests: count('rateLimit.requests', requests),
    perMs: milliseconds('rateLimit.perMs', perMs),
    ...(underWay !== undefined && { underWay: count('rateLimit.underWay', underWay) }),
  };
}
