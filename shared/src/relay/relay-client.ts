import type * as z from 'zod/mini';
import { clientHabits, refuseUnknown } from '#habits';
import type { Endpoint, Page, ResponseShape } from '../catalogue/operation.ts';
import type { Peer } from '../client/error-from-response.ts';
import { outsideText } from '../client/redact.ts';
import type { ResultOf } from '../client/request.ts';
import { createRun, type RequestOptions, type SendOptions, sendOptions } from '../client/run.ts';
import { ProblemError, ResponseError, TransportError } from '../errors/error-classes.ts';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import type {
  RelayAccess,
  RelayEvent,
  RelayEventPage,
  RelaySubscription,
  RelayTestResult,
} from './contract/record-types.ts';
import * as requests from './contract/requests.ts';
import { parseConnectorKey, parseRelayUrl, type RelayAddress } from './relay-access.ts';

/** Options of `createRelayClient`: address and connector key; the rest as for `createClient`. */
export interface RelayClientOptions extends RelayAddress, SendOptions {}

/** Which part of a list to read; the newest records are first. */
interface RelayPageInput {
  /** Records per page, 1 to 200. Default: 50. */
  readonly limit?: number;
  /** `pagination.cursor` of the previous page; `nextCursor` reads it. */
  readonly cursor?: string;
}

/** Which subscriptions to list. */
interface RelaySubscriptionsInput extends RelayPageInput {
  /** Only those with this target. */
  readonly target_url?: string;
}

/** Which events to list. */
export interface RelayEventsInput extends RelayPageInput {
  /** Name of the event, such as `campaign.paid`. Default: all events. */
  readonly type?: string;
  /** Only events that the relay stored at this time or later: a timestamp such as `2027-03-01T09:00:00Z`. */
  readonly from?: string;
  /** Only events that the relay stored before this time. */
  readonly to?: string;
  /**
   * Only events after this position, the first one first: `pagination.position` of the last page,
   * or `newest` for that of now. Without `from` and `to`. When the relay no longer has every event
   * since then, the request rejects with a ProblemError with status 410, whose `problem.position`
   * says where to continue.
   */
  readonly after?: string;
}

/** A target for events. */
interface RelaySubscriptionInput {
  /** Where the relay delivers to: https on a public address, or any address its operator allows. */
  readonly target_url: string;
  /**
   * Names of 1 to 50 events, such as `campaign.paid`. For one that this version does not know:
   * `name as UnknownEventName`, where `name` is a `string`.
   */
  readonly events: readonly WebhookEvent['type'][];
  /** What the operator's page shows, up to 200 characters. */
  readonly name?: string;
  /**
   * ID of another subscription that this one replaces, such as that of an earlier key or address. If
   * this one is new, or was off, it also receives what that one has not, unless that one ended more
   * than ten minutes ago. That one stays as it is.
   */
  readonly replaces?: string;
  /**
   * `true` also delivers what it skipped while it had ended: see `skipped` of the result. `false`
   * skips what waits for it now, such as for a test.
   */
  readonly catch_up?: boolean;
  /** The most deliveries at once, 1 to 16. Default: 4, or as before. */
  readonly max_concurrency?: number;
}

/**
 * A client of one connector key. Every request is safe to retry, and is retried like the read
 * requests of `createClient`. Requests reject with InputError, ProblemError, ResponseError,
 * TransportError or RateLimitWaitError. No message holds any part of the key, or the word that stops
 * n8n from retrying the activation of a workflow.
 */
export interface RelayClient {
  /** The access of this key; a connection test calls it. */
  me(options?: RequestOptions): Promise<RelayAccess>;
  /**
   * Subscribes the target. Each key has one subscription to it, with the events of the last call,
   * which also switches it on. An ended one continues where it stopped for ten minutes. Store the ID
   * of the last result: `unsubscribe` with an earlier one changes nothing.
   */
  subscribe(input: RelaySubscriptionInput, options?: RequestOptions): Promise<RelaySubscription>;
  /** Undefined when it no longer exists. */
  getSubscription(id: string, options?: RequestOptions): Promise<RelaySubscription | undefined>;
  /** The subscriptions of this key; with the right `read` or `manage`, of every key of the source. */
  listSubscriptions(
    input?: RelaySubscriptionsInput,
    options?: RequestOptions,
  ): Promise<Page<RelaySubscription>>;
  /** Succeeds even when the subscription no longer exists. */
  unsubscribe(id: string, options?: RequestOptions): Promise<void>;
  /**
   * Delivers the newest stored event of the subscription's kinds to its target, or a sample.
   * Returns undefined when the subscription no longer exists. The relay waits 15 s for the target.
   */
  sendTest(id: string, options?: RequestOptions): Promise<RelayTestResult | undefined>;
  /** One page of the stored events of the source. */
  listEvents(input?: RelayEventsInput, options?: RequestOptions): Promise<RelayEventPage>;
  /** Undefined when it does not exist, or no longer exists. */
  getEvent(id: string, options?: RequestOptions): Promise<RelayEvent | undefined>;
}

/** The relay, as error messages describe it. */
const relay: Peer = {
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

const habits = [['connectorKey', 'auth apiKey token bearer key'], ...clientHabits] as const;

/** Creates a client of a relay. Throws ConfigurationError for options that cannot work. */
export function createRelayClient(options: RelayClientOptions): RelayClient {
  refuseUnknown(options, 'createRelayClient', ['baseUrl', 'connectorKey', ...sendOptions], habits);
  const { baseUrl, connectorKey, ...more } = options;
  const { token, signingSecret } = parseConnectorKey(connectorKey);
  const secrets = [`${token}.${signingSecret}`, signingSecret, token];
  const run = createRun({
    ...more,
    baseUrl: parseRelayUrl(baseUrl),
    auth: {
      kind: 'connector-key',
      key: token,
      secrets,
    },
    peer: relay,
    rateLimit,
  });
  const call = callsOf(run);
  // Words that connectors show or log, and that may quote the request with its key.
  const said = (words: unknown) =>
    typeof words === 'string' ? relay.quoted(outsideText(words, { secrets })) : null;
  const readable = (one: RelaySubscription) => {
    if (one.id.length > maxId) throw idTooLong();
    return one.off_reason ? { ...one, off_reason: said(one.off_reason) } : one;
  };
  return {
    me: async (callOptions) => {
      const access = await call(requests.me, {}, callOptions);
      return { ...access, name: said(access.name) ?? '', source: said(access.source) ?? '' };
    },
    subscribe: async (input, callOptions) =>
      readable(await call(requests.subscribe, input, callOptions)),
    getSubscription: async (id, callOptions) => {
      const found = await unlessGone(call(requests.getSubscription, { id }, callOptions));
      return found && readable(found);
    },
    listSubscriptions: (input = {}, callOptions) =>
      call(requests.listSubscriptions, input, callOptions),
    unsubscribe: async (id, callOptions) => {
      await unlessGone(call(requests.unsubscribe, { id }, callOptions));
    },
    sendTest: async (id, callOptions) => {
      const result = await unlessGone(call(requests.sendTest, { id }, callOptions));
      return result?.error ? { ...result, error: said(result.error) } : result;
    },
    listEvents: async (input = {}, callOptions) =>
      (await call(requests.listEvents, input, callOptions)) as RelayEventPage,
    getEvent: (id, callOptions) => unlessGone(call(requests.getEvent, { id }, callOptions)),
  };
}

/** An error says that the relay failed, since a connector uses two addresses. */
function callsOf(run: ReturnType<typeof createRun>) {
  return async <
    Input extends z.ZodMiniType,
    Output extends z.ZodMiniType,
    Shape extends ResponseShape,
  >(
    endpoint: Endpoint<Input, Output, Shape>,
    input: unknown,
    options?: RequestOptions,
  ): Promise<ResultOf<Endpoint<Input, Output, Shape>>> => {
    try {
      return (await run(endpoint, input, options)).data as ResultOf<typeof endpoint>;
    } catch (error) {
      throw error instanceof TransportError ? ofRelay(error) : error;
    }
  };
}

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
