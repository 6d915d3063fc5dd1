import { randomUUID } from 'node:crypto';
import {
  type OperationName,
  operations,
  type Transport,
  type TransportResponse,
} from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { buildRequest, parseJsonExactly } from '@screen-advertising/core/platform';

/** The finding about one assumption. */
export interface Finding {
  /** `accepted`: another variant, with which everything works. */
  readonly state: 'as_assumed' | 'accepted' | 'differs' | 'not_seen';
  /** A short text without a person's data. */
  readonly found: string;
  /** The effect and the remedy, if not those that usually follow from the difference. */
  readonly action?: string;
}

/** As assumed, another variant that works, or a difference that breaks something. */
export function findingFor(found: string, isAssumed: boolean, isAccepted = true): Finding {
  const other = isAccepted ? 'accepted' : 'differs';
  return { state: isAssumed ? 'as_assumed' : other, found };
}

export const differenceFinding = (found: string, action: string): Finding => ({
  state: 'differs',
  found,
  action,
});
export const notSeenFinding = (found: string): Finding => ({ state: 'not_seen', found });

/** Ends a check early with its finding. */
export class CheckEndedEarly extends Error {
  override readonly name = 'Stop';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.found);
    this.finding = finding;
  }
}

export type RecordFields = Readonly<Record<string, unknown>>;

/** A response as it arrived. The client would read it tolerantly, and hide what this looks for. */
export interface RawResponse extends TransportResponse {
  /** Such as `GET /screens`. */
  readonly request: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

export interface ServiceProbeOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly userAgent: string;
  /** Ends the reads. A change in progress is finished and undone. */
  readonly stop: AbortSignal;
}

/**
 * Sends single requests, each GET once, and keeps what returned. One after the other, they stay far
 * below the rate limit.
 */
export class ServiceProbe {
  /** The API key or access token. */
  bearer = '';
  /** The response with the access token, if one was needed. */
  token: RawResponse | undefined;
  requests = 0;
  readonly replies: RawResponse[] = [];
  /** Invented for this run, for IDs and codes that do not exist. */
  readonly unknown = `doctor-${randomUUID().slice(0, 13)}`;
  readonly #options: ServiceProbeOptions;
  readonly #gets = new Map<string, Promise<RawResponse>>();
  #end: CheckEndedEarly | undefined;

  constructor(options: ServiceProbeOptions) {
    this.#options = options;
  }

  get(name: OperationName, input: RecordFields = {}, bearer = this.bearer): Promise<RawResponse> {
    const key = JSON.stringify([name, input, bearer]);
    const known = this.#gets.get(key) ?? this.#send(operations[name], input, bearer);
    this.#gets.set(key, known);
    return known;
  }

  /** A GET whose failure ends the check. */
  async read(name: OperationName, input: RecordFields = {}): Promise<RawResponse> {
    return requireSuccess(await this.get(name, input));
  }

  post(name: OperationName, input: RecordFields): Promise<RawResponse> {
    return this.#send(operations[name], input, this.bearer);
  }

  requestToken(clientId: string, clientSecret: string): Promise<RawResponse> {
    return this.#send(tokenEndpoint, { client_id: clientId, client_secret: clientSecret }, '');
  }

  async #send(endpoint: Parameters<typeof buildRequest>[1], input: RecordFields, bearer: string) {
    if (this.#end) throw this.#end;
    this.requests += 1;
    const { baseUrl, transport, userAgent, stop } = this.#options;
    const { headers, ...request } = buildRequest(baseUrl, endpoint, input);
    const authorization = bearer && { authorization: `Bearer ${bearer}` };
    const response = await transport.send({
      ...request,
      headers: { ...headers, 'user-agent': userAgent, ...authorization },
      timeoutMs: 15_000,
      ...(endpoint.method === 'GET' && { signal: stop }),
    });
    const name = `${endpoint.method} ${endpoint.path}`;
    const reply: RawResponse = { ...response, request: name, json: parsed(response.body) };
    this.replies.push(reply);
    if (reply.status !== 429) return reply;
    const limited = new CheckEndedEarly(
      notSeenFinding('Rate limit reached (429): run doctor again in a minute'),
    );
    // The token endpoint has its own rate limit.
    if (endpoint !== tokenEndpoint) this.#end = limited;
    throw limited;
  }
}

function parsed(body: string): unknown {
  try {
    return parseJsonExactly(body);
  } catch {
    return undefined;
  }
}

type Status = Pick<RawResponse, 'status'>;
export const isSuccessStatus = ({ status }: Status) => status >= 200 && status < 300;
export const isAccessRefused = ({ status }: Status) => status === 401 || status === 403;
/** Because of what was sent, and not of the credentials. */
export const isInputRejected = (reply: Status) =>
  reply.status >= 400 && reply.status < 500 && !isAccessRefused(reply);

/** The reply if it succeeded; otherwise ends the check with what that means. */
export function requireSuccess(reply: RawResponse): RawResponse {
  if (isSuccessStatus(reply)) return reply;
  const found = `${reply.request} returns ${reply.status}`;
  if (isAccessRefused(reply))
    throw new CheckEndedEarly(notSeenFinding(`${found}: the access lacks the scope`));
  throw new CheckEndedEarly(differenceFinding(found, 'What needs it fails. Report it.'));
}

/** The members of an object; none for any other value. */
export function membersOf(value: unknown): RecordFields {
  return typeof value === 'object' && value !== null ? (value as RecordFields) : {};
}

/** The records of a list, bare or under `data`; undefined if it is none. */
export function recordListIn({
  json,
}: Pick<RawResponse, 'json'>): readonly RecordFields[] | undefined {
  const list = Array.isArray(json) ? json : membersOf(json).data;
  return Array.isArray(list) ? list.map(membersOf) : undefined;
}

export const recordsInResponse = (reply: RawResponse): readonly RecordFields[] =>
  recordListIn(reply) ?? [];

/** Names of members, if they can be names. Values are never shown. */
export function memberNamesIn(value: unknown): string {
  const names = Object.keys(membersOf(value)).filter((name) => /^[a-z_]{1,30}$/i.test(name));
  return names.slice(0, 6).join(', ') || 'none';
}
