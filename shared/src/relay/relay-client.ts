import type * as z from 'zod/mini';
import type { AnswerShape, Endpoint } from '../catalogue/operation.ts';
import type { Page } from '../catalogue/page.ts';
import type { Answer } from '../client/answer.ts';
import type { CallOptions } from '../client/call.ts';
import { createRun, type SendOptions } from '../client/run.ts';
import { ProblemError } from '../errors/problem-error.ts';
import { TransportError } from '../errors/transport-error.ts';
import { parseConnectorKey } from './connector-key.ts';
import * as endpoints from './endpoints.ts';
import { relay } from './peer.ts';
import type { RelayAccess, RelayEvent, RelaySubscription, RelayTestResult } from './records.ts';
import { parseRelayUrl } from './relay-url.ts';

/** What `createRelayClient` takes: where the relay is, and a connector key; the rest as for `createClient`. */
export interface RelayClientOptions extends Omit<SendOptions, 'rateLimit'> {
  /** Such as `https://relay.example`; http on this machine and in a private network. */
  readonly baseUrl: string;
  /** As the relay shows it once: `rly_….whsec_…`. */
  readonly connectorKey: string;
}

/** How long a request to the relay may take with its retries, and what may end it. */
type RelayCallOptions = Pick<CallOptions, 'signal' | 'deadlineMs'>;

/** Which part of a list to read; the newest come first. */
interface RelayPageInput {
  /** Records in a page, 1 to 200; 50 unless given. */
  readonly limit?: number;
  /** `pagination.cursor` of the page before; `nextCursor` reads it. */
  readonly cursor?: string;
}

/** Which events to list. */
export interface RelayEventsInput extends RelayPageInput {
  /** Name of the event, such as `campaign.paid`; all unless given. */
  readonly type?: string;
  /** Only events that the relay stored at this time or later: a timestamp such as `2027-03-01T09:00:00Z`. */
  readonly from?: string;
  /** Only events that the relay stored before this time. */
  readonly to?: string;
}

/** A target for events. */
interface RelaySubscriptionInput {
  /** Where the relay delivers to: https on a public address, or what its operator allows. */
  readonly targetUrl: string;
  /** Names of 1 to 50 events, such as `campaign.paid`. */
  readonly events: readonly string[];
  /** What the operator's page shows, of up to 200 characters. */
  readonly name?: string;
  /**
   * ID of the subscription that this one takes the place of: it receives what that one has not,
   * unless it ended more than ten minutes ago.
   */
  readonly replaces?: string;
}

/**
 * A client of one connector key. Every request is retried as those of `createClient` that read: all
 * of them can be repeated. They reject with InputError, ProblemError, ResponseError, TransportError
 * or RateLimitError; no message holds the word that keeps n8n from trying to activate a workflow
 * again, nor any part of the key.
 */
export interface RelayClient {
  /** Whose key it is: what a connection test asks. */
  me(options?: RelayCallOptions): Promise<RelayAccess>;
  /**
   * One subscription for this key, target and set of events, however often it is put. One that is off
   * is switched on.
   */
  subscribe(input: RelaySubscriptionInput, options?: RelayCallOptions): Promise<RelaySubscription>;
  /** Undefined when it is gone. */
  getSubscription(id: string, options?: RelayCallOptions): Promise<RelaySubscription | undefined>;
  /** Those of every key of the source. */
  listSubscriptions(
    input?: RelayPageInput,
    options?: RelayCallOptions,
  ): Promise<Page<RelaySubscription>>;
  /** Also when it is gone already. */
  unsubscribe(id: string, options?: RelayCallOptions): Promise<void>;
  /**
   * Delivers the newest stored event of the subscription's kinds to its target, or a sample. Undefined
   * when the subscription is gone. The relay waits 15 s for the target.
   */
  sendTest(id: string, options?: RelayCallOptions): Promise<RelayTestResult | undefined>;
  /** A page of the stored events of the source. */
  listEvents(input?: RelayEventsInput, options?: RelayCallOptions): Promise<Page<RelayEvent>>;
  /** Undefined when there is none, or none any more. */
  getEvent(id: string, options?: RelayCallOptions): Promise<RelayEvent | undefined>;
}

/** The relay's limit for one token. */
const rateLimit = { requests: 6000, perMs: 60_000 };

/** A client of a relay. Throws ConfigurationError for options that cannot work. */
export function createRelayClient(options: RelayClientOptions): RelayClient {
  const { baseUrl, connectorKey, ...more } = options;
  const { token, signingSecret } = parseConnectorKey(connectorKey);
  const run = createRun({
    ...more,
    baseUrl: parseRelayUrl(baseUrl),
    auth: {
      kind: 'connector-key',
      key: token,
      secrets: [`${token}.${signingSecret}`, signingSecret],
    },
    peer: relay,
    rateLimit,
  });
  const call = async <
    Input extends z.ZodMiniType,
    Output extends z.ZodMiniType,
    Shape extends AnswerShape,
  >(
    endpoint: Endpoint<Input, Output, Shape>,
    input: unknown,
    callOptions?: RelayCallOptions,
  ): Promise<Answer<Endpoint<Input, Output, Shape>>> => {
    try {
      return (await run(endpoint, input, callOptions)) as Answer<typeof endpoint>;
    } catch (error) {
      throw error instanceof TransportError ? ofRelay(error) : error;
    }
  };
  return {
    me: (callOptions) => call(endpoints.me, {}, callOptions),
    subscribe: (input, callOptions) => call(endpoints.subscribe, input, callOptions),
    getSubscription: (id, callOptions) =>
      unlessGone(call(endpoints.getSubscription, { id }, callOptions)),
    listSubscriptions: (input = {}, callOptions) =>
      call(endpoints.listSubscriptions, input, callOptions),
    unsubscribe: async (id, callOptions) => {
      await unlessGone(call(endpoints.unsubscribe, { id }, callOptions));
    },
    sendTest: (id, callOptions) => unlessGone(call(endpoints.sendTest, { id }, callOptions)),
    listEvents: (input = {}, callOptions) => call(endpoints.listEvents, input, callOptions),
    getEvent: (id, callOptions) => unlessGone(call(endpoints.getEvent, { id }, callOptions)),
  };
}

/** A connector knows two addresses: this says which one failed. */
function ofRelay({ message, code, sent, isRetryable, cause }: TransportError): TransportError {
  const words = `No usable response from the relay: ${message}`;
  return new TransportError(words, { code, sent, isRetryable, cause });
}

/** A 404 of something that is no relay, such as a page, says nothing about a record. */
async function unlessGone<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found' && error.problem)
      return undefined;
    throw error;
  }
}
