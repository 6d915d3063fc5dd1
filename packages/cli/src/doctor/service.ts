import { randomUUID } from 'node:crypto';
import {
  type OperationName,
  operations,
  type Transport,
  type TransportResponse,
} from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { buildRequest, parseJson } from '@screen-advertising/core/platform';
import { differs, notSeen, Stop } from './finding.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A response as it arrived. The client would read it tolerantly, and hide what this looks for. */
export interface Reply extends TransportResponse {
  /** Such as `GET /screens`. */
  readonly request: string;
  /** Title of the operation. */
  readonly title: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

export interface ServiceOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly userAgent: string;
  /** Ends the reads. A change in progress is finished and undone. */
  readonly stop: AbortSignal;
}

/** One after the other, this is far below the rate limit. */
export const mostRequests = 40;
const timeoutMs = 15_000;

/** Sends single requests, each GET once, and keeps what returned. */
export class Service {
  /** The API key or access token. */
  bearer = '';
  /** The response with the access token, if one was needed. */
  token: Reply | undefined;
  readonly replies: Reply[] = [];
  /** Invented for this run, for IDs and codes that do not exist. */
  readonly unknown = `doctor-${randomUUID().slice(0, 13)}`;
  readonly #options: ServiceOptions;
  readonly #gets = new Map<string, Promise<Reply>>();
  #requests = 0;
  #end: Stop | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  get requests(): number {
    return this.#requests;
  }

  get(name: OperationName, input: Fields = {}, bearer = this.bearer): Promise<Reply> {
    const key = JSON.stringify([name, input, bearer]);
    const known = this.#gets.get(key) ?? this.#send(operations[name], input, bearer);
    this.#gets.set(key, known);
    return known;
  }

  post(name: OperationName, input: Fields): Promise<Reply> {
    return this.#send(operations[name], input, this.bearer);
  }

  requestToken(clientId: string, clientSecret: string): Promise<Reply> {
    return this.#send(tokenEndpoint, { client_id: clientId, client_secret: clientSecret }, '');
  }

  async #send(endpoint: Endpoint, input: Fields, bearer: string): Promise<Reply> {
    if (this.#end) throw this.#end;
    if (this.#requests === mostRequests)
      throw new Stop(notSeen(`Not among ${mostRequests} requests`));
    this.#requests += 1;
    const { baseUrl, transport, userAgent, stop } = this.#options;
    const request = buildRequest(baseUrl, endpoint, input);
    const response = await transport.send({
      ...request,
      headers: {
        ...request.headers,
        'user-agent': userAgent,
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      timeoutMs,
      ...(endpoint.method === 'GET' && { signal: stop }),
    });
    const reply = {
      ...response,
      request: `${endpoint.method} ${endpoint.path}`,
      title: endpoint.title ?? 'The token request',
      json: parsed(response.body),
    };
    this.replies.push(reply);
    if (response.status === 429) {
      const stop = new Stop(notSeen('Rate limit reached (429): run doctor again in a minute'));
      // The token endpoint has its own rate limit.
      if (endpoint !== tokenEndpoint) this.#end = stop;
      throw stop;
    }
    return reply;
  }
}

type Endpoint = Parameters<typeof buildRequest>[1] & { readonly title?: string };

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;
/** A refusal of what was sent, and not of the credentials. */
export const isRejected = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && !isForbidden({ status });
export const isForbidden = ({ status }: Pick<Reply, 'status'>): boolean =>
  status === 401 || status === 403;

/** The reply if it succeeded; otherwise ends the check with what that means. */
export function succeeded(reply: Reply): Reply {
  if (isSuccess(reply)) return reply;
  const found = `${reply.request} returns ${reply.status}`;
  if (isForbidden(reply)) throw new Stop(notSeen(`${found}: the access lacks the scope`));
  throw new Stop(differs(found, `${reply.title} fails. Report it.`));
}

/** The members of an object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The records of a list, whatever its shape. */
export function recordsOf({ json }: Reply): readonly Fields[] {
  const list = Array.isArray(json) ? json : fieldsOf(json).data;
  return Array.isArray(list) ? list.map(fieldsOf) : [];
}

/** Names of members, if they can be names. Values are never shown. */
export function namesIn(value: unknown): string {
  const names = Object.keys(fieldsOf(value)).filter((name) => /^[a-z_]{1,30}$/i.test(name));
  return names.slice(0, 6).join(', ') || 'none';
}
