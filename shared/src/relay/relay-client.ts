import type * as z from 'zod/mini';
import { clientOptionSynonyms, refuseUnknownOptions } from '#habits';
import type { RespondingPeer } from '../client/error-from-response.ts';
import { safeOutsideText } from '../client/redact.ts';
import {
  createSendCall,
  type RequestOptions,
  type SendOptions,
  sendOptions,
} from '../client/run.ts';
import { ProblemError, ResponseError, TransportError } from '../errors/error-classes.ts';
import {
  type EmptyInput,
  type IdInput,
  type RelayRequest,
  relayRequests,
} from './contract/requests.ts';
import { parseConnectorKey, parseRelayUrl, type RelayAddress } from './relay-access.ts';

/** Options of `createRelayClient`: address and connector key; the rest as for `createClient`. */
export interface RelayClientOptions extends RelayAddress, SendOptions {}

/**
 * A client of one connector key. Every request is safe to retry, and is retried like the read
 * requests of `createClient`. Requests reject with InputError, ProblemError, ResponseError,
 * TransportError or RateLimitWaitError. No message holds any part of the key, or the word that stops
 * n8n from retrying the activation of a workflow.
 */
export type RelayClient = {
  readonly [Name in keyof Requests]: Requests[Name] extends RelayRequest<infer Result, infer Input>
    ? Method<Result, Input>
    : never;
};

type Requests = typeof relayRequests;

/** A method takes the ID of a record, nothing, or its input. */
type Method<Result, Input extends z.ZodMiniType> = Input extends IdInput
  ? (id: string, options?: RequestOptions) => Promise<Result | undefined>
  : EmptyInput extends Input
    ? (options?: RequestOptions) => Promise<Result>
    : Record<never, never> extends z.input<Input>
      ? (input?: z.input<Input>, options?: RequestOptions) => Promise<Result>
      : (input: z.input<Input>, options?: RequestOptions) => Promise<Result>;

/** Selects the events to list. */
export type RelayEventsInput = z.input<Requests['listEvents']['input']>;

/** The relay, as error messages describe it. */
const relay: RespondingPeer = {
  name: 'relay',
  onRefusal: 'Check that the connector key is complete and belongs to this relay.',
  forbids: () => 'was refused by the relay, or by something in front of it',
  onForbidden: 'Ask the operator of the relay, or check the base URL.',
  onNotFound: () => 'Check that the base URL leads to the relay.',
  // n8n permanently gives up a failed activation when the error names this header. The title of
  // nginx's page for status 401 does.
  quoted: (words) => words.replace(/uthorization/gi, 'uthentication'),
};

/** The relay's limit for one token. */
const rateLimit = { requests: 6000, perMs: 60_000 };

const habits = [['connectorKey', 'auth apiKey token bearer key'], ...clientOptionSynonyms] as const;

/** Creates a client of a relay. Throws ConfigurationError for options that cannot work. */
export function createRelayClient(options: RelayClientOptions): RelayClient {
  refuseUnknownOptions(
    options,
    'createRelayClient',
    ['baseUrl', 'connectorKey', ...sendOptions],
    habits,
  );
  const { baseUrl, connectorKey, ...more } = options;
  const { token, signingSecret } = parseConnectorKey(connectorKey);
  const secrets = [`${token}.${signingSecret}`, signingSecret, token];
  const run = createSendCall({
    ...more,
    baseUrl: parseRelayUrl(baseUrl),
    auth: {
      kind: 'token',
      key: token,
      secrets,
    },
    peer: relay,
    rateLimit,
  });
  // Words that connectors show or log may quote the request with its key.
  const readable = (result: Readonly<Record<string, unknown>>, words: readonly string[] = []) => {
    if (typeof result.id === 'string' && result.id.length > maxId) throw idTooLong();
    const said = words.flatMap((name) => {
      const text = result[name];
      return typeof text === 'string'
        ? [[name, relay.quoted(safeOutsideText(text, { secrets }))]]
        : [];
    });
    return { ...result, ...Object.fromEntries(said) };
  };
  const send = async (one: AnyRequest, input: unknown, callOptions?: RequestOptions) => {
    try {
      const result = (await run(one, input, callOptions)).data;
      return one.allowsEmptyResponse ? undefined : readable(result as never, one.words);
    } catch (error) {
      throw error instanceof TransportError ? ofRelay(error) : error;
    }
  };
  const methodOf = (one: AnyRequest) => {
    if (one.path.includes('{id}')) {
      return (id: string, callOptions?: RequestOptions) =>
        unlessGone(send(one, { id }, callOptions));
    }
    return one === relayRequests.me
      ? (callOptions?: RequestOptions) => send(one, {}, callOptions)
      : (input = {}, callOptions?: RequestOptions) => send(one, input, callOptions);
  };
  const methods = Object.entries(relayRequests).map(([name, one]) => [name, methodOf(one)]);
  return Object.fromEntries(methods);
}

type AnyRequest = RelayRequest<unknown, z.ZodMiniType>;

/** Connectors store the ID, and n8n reads and writes it with every delivery. */
const maxId = 200;

function idTooLong(): ResponseError {
  return new ResponseError(`The relay sent an ID of more than ${maxId} characters`, {
    remedy: 'Check that the base URL leads to the relay.',
    status: 200,
  });
}

/** A connector uses two addresses; this message says which one failed. */
function ofRelay(error: TransportError): TransportError {
  const { summary, code, remedy, sent, isRetryable, cause } = error;
  const failure = { code, remedy, sent, isRetryable, cause };
  return new TransportError(`No usable response from the relay: ${summary}`, failure);
}

/** The code is that of the relay's own words: a 404 of a web page says nothing about a record. */
async function unlessGone<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return undefined;
    throw error;
  }
}
