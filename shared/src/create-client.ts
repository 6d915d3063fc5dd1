import type * as z from 'zod/mini';
import { clientOptionSynonyms, refuseUnknownOptions } from '#habits';
import { catalogue } from './catalogue/index.ts';
import type { Endpoint, Operation, Page } from './catalogue/operation.ts';
import { type Auth, checkAuth } from './client/auth.ts';
import { parseBaseUrl, type TextOrUrl } from './client/base-url.ts';
import {
  CallPromise,
  createPagePromise,
  iteratePages,
  type PagePromise,
} from './client/call-promise.ts';
import { servicePeer } from './client/error-from-response.ts';
import type { NumericClientOptions } from './client/options.ts';

import {
  type CallOptions,
  type CallsDeadline,
  createSendCall,
  type DeadlineOptions,
  type SendOptions,
  sendOptions,
} from './client/run.ts';
import type { ResourceApis } from './types/index.ts';

/** Options of `createClient`: a base URL and credentials; everything else has a default. */
export interface ClientOptions extends SendOptions, NumericClientOptions {
  /** Address of the interface root. A missing `/api/v1` and trailing slashes are fixed. */
  readonly baseUrl: TextOrUrl;
  /** The result of `apiKey` or `clientCredentials`. */
  readonly auth: Auth;
}

/** A client of one access, as `createClient` returns it. */
export interface Client extends ResourceApis {
  /** Runs an operation of the catalogue, as its method does. */
  readonly call: Call;
  /**
   * Starts one deadline for several calls, each of which gets its `signal`. Without `deadlineMs`, it
   * is that of the client, if any. Call `stop` when they have ended.
   */
  startDeadline(title: string, options: DeadlineOptions): CallsDeadline;
  /**
   * Iterates over the pages of a list, each fetched on demand. Ends when `has_more` is false.
   * Rejects as `call` does, and with ResponseError when the service reports more but sends no new
   * cursor.
   */
  pages<Op extends Operation>(
    operation: Op,
    input?: z.input<Op['input']>,
    options?: CallOptions,
  ): AsyncGenerator<Page<z.output<Op['output']>>, void, undefined>;
  /** Iterates over the records of all pages. Without `limit`, it requests the largest pages. */
  items<Op extends Operation>(
    operation: Op,
    input?: z.input<Op['input']>,
    options?: CallOptions,
  ): AsyncGenerator<z.output<Op['output']>, void, undefined>;
}

/**
 * Runs an operation. Resolves with the untouched record, or with `{ data, pagination }` for lists.
 * Rejects with InputError, ProblemError, ResponseError, TransportError, OutcomeUnknownError,
 * RateLimitWaitError or, for options that cannot work, ConfigurationError; all of them are
 * ScreenAdvertisingError. Anything else that the transport throws passes through.
 */
export type Call = <Op extends Operation>(
  operation: Op,
  input: z.input<Op['input']>,
  options?: CallOptions,
) => Pending<Op>;

/** The promise that a call returns at once. */
type Pending<Op extends Pick<Endpoint, 'responseShape' | 'output'>> =
  Op['responseShape'] extends 'record'
    ? CallPromise<z.output<Op['output']>>
    : PagePromise<z.output<Op['output']>>;

const clientOptions = ['baseUrl', 'auth', 'rateLimit', ...sendOptions] as const;

/** Creates a client of the partner interface. Throws ConfigurationError for invalid options. */
export function createClient(options: ClientOptions): Client {
  refuseUnknownOptions(options, 'createClient', clientOptions, clientOptionSynonyms);
  const auth = checkAuth(options.auth);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const run = createSendCall({ ...options, auth, baseUrl, peer: servicePeer });
  const call = ((operation: Operation, input: object, callOptions?: CallOptions) =>
    operation.responseShape === 'record'
      ? new CallPromise(() => run(operation, input, callOptions))
      : createPagePromise(run, operation, input, callOptions)) as Call;
  return {
    ...facades(call),
    call,
    pages: ((operation: Operation, input: object, callOptions?: CallOptions) => {
      let endsAt: number | undefined;
      return iteratePages(operation, input, (fields) => {
        endsAt ??= run.endOf(callOptions);
        return run(operation, fields, callOptions, endsAt);
      });
    }) as Client['pages'],
    startDeadline: run.startDeadline,
    items: ((operation: Operation, input: object, callOptions?: CallOptions) =>
      createPagePromise(run, operation, input, callOptions)[
        Symbol.asyncIterator
      ]()) as Client['items'],
  };
}

/** The methods of a client. Their types are written from the same catalogue. */
function facades(call: Call): ResourceApis {
  const groups: Partial<Record<keyof ResourceApis, object>> = {};
  for (const name of Object.keys(catalogue) as (keyof ResourceApis)[]) {
    const group: Readonly<Record<string, Operation>> = catalogue[name];
    const methods = Object.entries(group).map(([action, operation]) => {
      const nothing = operation.responseShape === 'record' ? undefined : {};
      const method = (input: object | undefined = nothing, options?: CallOptions) =>
        call(operation, input, options);
      // Consoles print the name of a function.
      Object.defineProperty(method, 'name', { value: `${name}.${action}`, configurable: true });
      return [action, method] as const;
    });
    groups[name] = Object.fromEntries(methods);
  }
  return groups as ResourceApis;
}
