import { ProblemError, ResponseError } from '../errors/error-classes.ts';
import {
  type ErrorCode,
  type ErrorDetails,
  joinSentences,
  type Problem,
  type ScreenAdvertisingError,
} from '../errors/screen-advertising-error.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { type RedactText, redactAll, safeOutsideText } from './redact.ts';

/** The other side, as error messages describe it. */
export interface RespondingPeer {
  /** Follows "the". */
  readonly name: string;
  /** The remedy when the credentials were not accepted. */
  readonly onRefusal: string;
  /** Why a forbidden request failed, and what to do. */
  readonly forbids: (scopes: readonly string[]) => string;
  readonly onForbidden: string;
  /** The remedy when nothing was found; `place` is the field to check, or the base URL. */
  readonly onNotFound: (place: string) => string;
  /** How an error quotes text of the response. */
  readonly quoted: (words: string) => string;
}

export const servicePeer: RespondingPeer = {
  name: 'service',
  onRefusal: 'Check that they are complete, belong to this base URL, and have not been revoked.',
  forbids: (scopes) => `failed: the access lacks the scope ${scopes.join(' or ')}`,
  onForbidden: 'Ask the Screen Advertising team to grant it.',
  onNotFound: (place) => `Check ${place}.`,
  quoted: (words) => words,
};

/** The call, as an error message describes it. */
interface CallContext {
  readonly peer: RespondingPeer;
  /** Title of the operation, such as `Create Coupon`. */
  readonly title: string;
  /** The path of the operation, such as `/coupons/{code}`. */
  readonly path: string;
  readonly scopes: readonly string[];
  /** Whether the token has one of the scopes, if its response said so. */
  readonly hasScope?: boolean | undefined;
  readonly now: number;
  readonly redact: RedactText;
}

/** Statuses after which the same request may succeed: 408 and those of overloaded proxies. */
export const retryableStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);

const excerptLength = 200;
const longLength = 500;
/** Characters at the start of a web page, where its title is. */
const headLength = 4000;

/** Turns a failed response into an error that says what happened and how to fix it. */
export function errorFromResponse(
  response: TransportResponse,
  context: CallContext,
): ScreenAdvertisingError {
  const { status } = response;
  if (status < 400) return unusableResponseError(response, context);
  const json = parseJsonOr(response.body, undefined);
  const problem = readProblem(response, json, context.redact);
  // Waiting does no harm, so the member may be in any JSON.
  const retryAfter = readRetryAfter(response, isRecord(json) ? json : undefined, context.now);
  const explain = problem ? explained : unproved;
  const [code, summary, remedy] = explain(status, retryAfter, context);
  return new ProblemError(code, `${summary} (${status})`, {
    title: context.title,
    said: said(problem, response, context),
    remedy,
    status,
    problem,
    unproved: problem || isEmpty(response) ? undefined : unprovedBody(response, context),
    retryAfter,
    ...headersOf(response, context),
    isRetryable: status === 429 || status === 500 || retryableStatuses.has(status),
  });
}

/** The error for a response with a status below 400 that cannot be read. */
export function unusableResponseError(
  response: TransportResponse,
  context: CallContext,
): ResponseError {
  const { status, headers } = response;
  const { peer, title, redact } = context;
  if (status >= 300) {
    const target = redact(redirectTarget(headers.location));
    return new ResponseError(
      `failed: redirects are not followed, to protect credentials (${status}${target})`,
      { title, remedy: 'Check the base URL.', status, ...headersOf(response, context) },
    );
  }
  const what = isEmpty(response) ? 'empty' : 'not the expected JSON';
  return new ResponseError(`failed: the response with status ${status} is ${what}`, {
    title,
    said: isEmpty(response) ? undefined : `The body: ${outline(response, redact)}.`,
    remedy: `Check that the base URL leads to the ${peer.name} and not to a web page.`,
    status,
    ...headersOf(response, context),
  });
}

function headersOf(
  response: TransportResponse,
  { redact }: CallContext,
): Pick<ErrorDetails, 'headers' | 'requestId'> {
  // Errors go into logs, where a session of a proxy has no place.
  const { 'set-cookie': _cookie, ...shown } = response.headers;
  const headers = redactAll(shown, redact) as Record<string, string>;
  return { headers, requestId: readRequestId(headers) };
}

function redirectTarget(location: string | undefined): string {
  return location && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}

const documentMembers = ['type', 'title', 'status', 'detail'];

/**
 * Whether the body is a problem document, and so the service's own words (assumption
 * `problemDocuments`): by its content type or, since a proxy may change that, by three of its
 * members. The JSON of a gateway shares one or two of their names.
 */
export function isProblemDocument({ headers }: TransportResponse, json: unknown): boolean {
  if (/^application\/problem\+json\b/i.test(headers['content-type'] ?? '')) return true;
  return isRecord(json) && documentMembers.filter((name) => Object.hasOwn(json, name)).length >= 3;
}

function readProblem(
  response: TransportResponse,
  json: unknown,
  redact: RedactText,
): Problem | undefined {
  if (!isProblemDocument(response, json)) return undefined;
  try {
    return redactAll(isRecord(json) ? json : {}, redact) as Problem;
  } catch {
    // Nested deeper than any problem document.
    return undefined;
  }
}

/** The code, what happened, which follows the title, and what to do. */
type Explanation = [code: ErrorCode, summary: string, remedy?: string];

/** Without a problem document, a status proves no more than HTTP says of it: a proxy may have sent it. */
function unproved(
  status: number,
  retryAfter: number | undefined,
  context: CallContext,
): Explanation {
  if (status === 429) return explained(status, retryAfter, context);
  const { name, onRefusal } = context.peer;
  const did = isFailure(status)
    ? 'reported an error'
    : (meanings[status] ?? 'rejected the request');
  const what = `failed: the ${name}, or something in front of it, ${did}`;
  if (status === 401) return ['authentication_failed', what, onRefusal];
  return isFailure(status)
    ? ['service_error', what, later]
    : ['unexpected_response', what, `Check that the base URL leads to the ${name}.`];
}

/** 408 is a timeout of the other side. */
function isFailure(status: number): boolean {
  return status === 408 || status >= 500;
}

const later = 'Retry in a few minutes.';

const meanings: Readonly<Record<number, string>> = {
  401: 'refused the credentials',
  403: 'refused the request',
  404: 'does not know this address',
  405: 'does not allow this method',
  409: 'reported a conflict',
  415: 'does not take such a body',
};

/** Explains a status that came with a problem document (section 7 and the assumptions). */
function explained(
  status: number,
  retryAfter: number | undefined,
  { peer, path, scopes, hasScope }: CallContext,
): Explanation {
  const { name } = peer;
  const seconds = retryAfter === undefined ? 'a minute' : `${Math.ceil(retryAfter)} s`;
  const [, place = 'the base URL'] = /\{(\w+)\}/.exec(path) ?? [];
  const failed = `failed: the ${name} `;
  if (status === 401) {
    return ['authentication_failed', `${failed}did not accept the credentials`, peer.onRefusal];
  }
  if (status === 403 && hasScope) {
    const forbidden = `${failed}refused it, though the token has the scope`;
    return ['unexpected_response', forbidden, 'Ask the Screen Advertising team why.'];
  }
  if (status === 403) return ['missing_scope', peer.forbids(scopes), peer.onForbidden];
  if (status === 404) return ['not_found', 'failed: not found', peer.onNotFound(place)];
  if (status === 409) return ['conflict', 'failed because of a conflict'];
  if (status === 405 || status === 415) {
    const remedy = 'Report this to the Screen Advertising team.';
    return ['invalid_request', failed + meanings[status], remedy];
  }
  if (status === 429) return ['rate_limited', 'failed: rate limit reached', `Retry in ${seconds}.`];
  return isFailure(status)
    ? ['service_error', `${failed}reported an error`, later]
    : ['invalid_request', `${failed}rejected the request`, 'Check the fields you sent.'];
}

function said(
  problem: Problem | undefined,
  response: TransportResponse,
  { peer, redact }: CallContext,
): string | undefined {
  const words = [problem?.detail, problem?.title].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  const more = problem && extensionsOf(problem);
  if (words !== undefined) return joinSentences([`The ${peer.name} says: ${quote(words)}`, more]);
  if (problem || isEmpty(response)) return more;
  return `The response is not a problem document, so it may come from a proxy (${outline(response, redact)}).`;
}

const ordinaryMembers = [...documentMembers, 'instance', 'retry_after'];

/** The members of a problem document that not every one has, such as a refused field. */
function extensionsOf(problem: Problem): string | undefined {
  const more = Object.entries(problem).filter(([name]) => !ordinaryMembers.includes(name));
  if (more.length === 0) return undefined;
  try {
    return `It adds: ${excerpt(JSON.stringify(Object.fromEntries(more)), longLength)}.`;
  } catch {
    // Nested deeper than any problem document.
    return undefined;
  }
}

function unprovedBody({ body }: TransportResponse, { redact }: CallContext): string {
  return excerpt(redact(body), longLength);
}

function isEmpty({ body }: TransportResponse): boolean {
  return body.trim() === '';
}

/**
 * Describes a foreign body without quoting it, since it may hold anything. Of a web page, it quotes
 * only the title, and of the JSON of a gateway only its message.
 */
function outline({ headers, body }: TransportResponse, redact: RedactText): string {
  const [type = 'no content type'] =
    /^[\w.+-]+\/[\w.+-]+/.exec(redact(headers['content-type'] ?? '')) ?? [];
  const [, words = ''] = /<title\b[^>]*>([^<]+)<\/title/i.exec(body.slice(0, headLength)) ?? [];
  const title = words && `, titled "${excerpt(redact(words))}"`;
  const json = parseJsonOr(body, undefined);
  const { message, error } = isRecord(json) ? json : {};
  const reason = [message, error].find((one) => typeof one === 'string' && one !== '');
  const quoted = excerpt(redact(String(reason ?? '')));
  const said = quoted && `, with the message "${quoted}"`;
  return `${type}, ${body.length} characters${title}${said}`;
}

function quote(words: string): string {
  const text = excerpt(words);
  return `"${text}"${/[.!?…]$/.test(text) ? '' : '.'}`;
}

/** One line of limited length. */
function excerpt(words: string, maxLength = excerptLength): string {
  return safeOutsideText(words.slice(0, headLength), { maxLength });
}

/** No limit of the service lasts longer, and a wrong header must not block a client for years. */
const maxSeconds = 86_400;

/**
 * Seconds to wait, as the service asks: the longer of the header `Retry-After` (seconds or an HTTP
 * date, read against the service's own `Date`) and the member `retry_after` (section 7). Negative
 * and unreadable values are ignored, and waits of more than a day count as a day.
 */
export function readRetryAfter(
  response: TransportResponse,
  problem: Problem | undefined,
  now: number,
): number | undefined {
  const asked = [
    fromHeader(response.headers['retry-after'], response.headers.date, now),
    seconds(problem?.retry_after),
  ].filter((value) => value !== undefined);
  return asked.length > 0 ? Math.min(maxSeconds, Math.max(...asked)) : undefined;
}

function fromHeader(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  if (value === undefined) return undefined;
  // A header sent twice arrives joined by a comma.
  const plain = value.split(',').map(seconds);
  if (plain.every((one) => one !== undefined)) return Math.max(...plain);
  // Date.parse accepts many texts as a date, even "-5"; an HTTP date names its time zone.
  const at = /GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const sent = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? now : sent)) / 1000));
}

function seconds(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** Headers that usually name a request, the most specific first (assumption `requestId`). */
const names = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'cf-ray',
] as const;

/** One word of ASCII; an ID is not longer. */
const shape = /^[\x21-\x7e]{1,128}$/;

/** The ID under which the service, or a proxy before it, logged a request. */
export function readRequestId(
  headers: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const texts = names.map((name) => headers?.[name]?.trim());
  return texts.find((text) => text !== undefined && shape.test(text));
}
