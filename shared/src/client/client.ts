import type * as z from 'zod/mini';
import type { EndedCall, Operation } from '../catalogue/operation.ts';
import type { Page } from '../catalogue/page.ts';
import type { Clock } from '../clock.ts';
import type { Transport } from '../transport/transport.ts';
import type { Auth } from './auth.ts';
import { parseBaseUrl } from './base-url.ts';
import type { Call, CallOptions } from './call.ts';
import { startDeadline } from './deadline.ts';
import { defaultTransport } from './default-transport.ts';
import { type Facades, facades } from './facades.ts';
import type { RateLimit } from './fair-share.ts';
import type { OngoingCall } from './ongoing-call.ts';
import { items, pages } from './pages.ts';
import { recover } from './recover.ts';
import { buildRequest, parseInput } from './request.ts';
import type { RetryPolicy } from './retry.ts';
import { sendOnce } from './send-once.ts';
import { milliseconds, settingsOf } from './settings.ts';
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

/** A client of the partner interface. Throws ConfigurationError for options that cannot work. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const given = options.transport ?? defaultTransport();
  const { clock = given.clock } = options;
  const transport = clock === given.clock ? given : { clock, send: given.send.bind(given) };
  const { retry, limit, timeoutMs } = settingsOf(options);
  const access = sharedAccess(clock, baseUrl, options.auth, limit);
  const always = { access, transport, retry, timeoutMs };

  const run = async (
    operation: Operation,
    fields: unknown,
    { signal: aborts, deadlineMs, adoptExisting = false }: CallOptions = {},
  ): Promise<unknown> => {
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
        const further: EndedCall['call'] = (another, known) => run(another, known, { signal });
        return await recover(ongoing, outcome, { adoptExisting, call: further });
      }
      access.quota.earn();
      return outcome.value;
    } finally {
      deadline?.stop();
    }
  };

  const call = run as Call;
  const client: Pick<Client, 'call' | 'pages' | 'items'> = {
    call,
    pages: (operation, input, callOptions) => pages(call, operation, input, callOptions),
    items: (operation, input, callOptions) => items(call, operation, input, callOptions),
  };
  return Object.assign(Object.create(facades) as Facades, client);
}
