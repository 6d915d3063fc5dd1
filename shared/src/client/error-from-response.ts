import type { Problem } from '../errors/problem.ts';
import { ProblemError } from '../errors/problem-error.ts';
import { ResponseError } from '../errors/response-error.ts';
import type { ErrorCode, ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { type Redact, redactAll } from './redact.ts';
import { retryableStatuses } from './retry.ts';
import { readRetryAfter } from './retry-after.ts';

/** Who responds, in the words of errors. */
export interface Peer {
  /** After "the". */
  readonly name: string;
  /** What to do when the credentials were not accepted. */
  readonly onRefusal: string;
  /** What became of a request that is forbidden, and what to do. */
  readonly forbids: (scopes: readonly string[]) => string;
  readonly onForbidden: string;
  readonly onNotFound: string;
  /** How text of the response may stand in an error. */
  readonly quoted: (words: string) => string;
}

export const service: Peer = {
  name: 'service',
  onRefusal: 'Check that they were copied whole, belong to this base URL and were not withdrawn.',
  forbids: (scopes) => `was refused because the access lacks the scope ${scopes.join(' or ')}`,
  onForbidden: 'Ask the administration of the service to grant it.',
  onNotFound: '',
  quoted: (words) => words,
};

/** What the error's words need to know of the call. */
export interface CallContext {
  readonly peer: Peer;
  /** Title of the operation, such as `Create Coupon`. */
  readonly title: string;
  readonly scopes: readonly string[];
  readonly now: number;
  readonly redact: Redact;
}

const excerptLength = 200;
/** Where a page has its title. */
const headLength = 4000;

/** Turns an answer that is no success into an error that says what happened and how to mend it. */
export function errorFrom(
  response: TransportResponse,
  context: CallContext,
): ScreenAdvertisingError {
  const { status } = response;
  if (status < 400) return unusable(response, context);
  const problem = readProblem(response.body, context.redact);
  const retryAfter = readRetryAfter(response, problem, context.now);
  const because = reason(problem, response, context);
  return new ProblemError(codeOf(status), messageOf(status, because, retryAfter, context), {
    status,
    problem,
    retryAfter,
    isRetryable: status === 429 || status === 500 || retryableStatuses.has(status),
  });
}

/** A status below 400 whose answer cannot be read. */
export function unusable(response: TransportResponse, context: CallContext): ResponseError {
  const { status, headers } = response;
  const { peer, title, redact } = context;
  if (status >= 300) {
    return new ResponseError(
      `${title} was answered with a redirect (status ${status}${redact(redirectTarget(headers.location))}), which is not followed because it would carry your credentials along. Check the base URL.`,
      status,
    );
  }
  return new ResponseError(
    `${title} was answered with status ${status}, but the body is ${isEmpty(response) ? 'empty' : `no JSON of the expected shape (${outline(response, redact)})`}. Check that the base URL leads to the ${peer.name} and not to a web page.`,
    status,
  );
}

function redirectTarget(location: string | undefined): string {
  return location && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}

const problemMembers = ['type', 'title', 'status', 'detail', 'retry_after'];

/** Whatever the content type says: a proxy may change it, and the members tell enough. */
function readProblem(body: string, redact: Redact): Problem | undefined {
  const parsed = parseJsonOr(body, undefined);
  if (!isRecord(parsed) || !problemMembers.some((name) => Object.hasOwn(parsed, name))) {
    return undefined;
  }
  try {
    return redactAll(parsed, redact) as Problem;
  } catch {
    // Nested deeper than any problem document.
    return undefined;
  }
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'authentication_failed';
  if (status === 403) return 'missing_scope';
  if (status === 404) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'service_error';
  return 'invalid_request';
}

function messageOf(
  status: number,
  because: string,
  retryAfter: number | undefined,
  { peer, title, scopes }: CallContext,
): string {
  const seconds = retryAfter === undefined ? 'a minute' : `${Math.ceil(retryAfter)} s`;
  switch (codeOf(status)) {
    case 'authentication_failed':
      return `${title} was refused because the credentials were not accepted (status 401).${because} ${peer.onRefusal}`;
    case 'missing_scope':
      return `${title} ${peer.forbids(scopes)} (status 403).${because} ${peer.onForbidden}`;
    case 'not_found':
      return `${title} found nothing (status 404).${because}${peer.onNotFound}`;
    case 'conflict':
      return `${title} was refused because of a conflict (status 409).${because}`;
    case 'rate_limited':
      return `${title} was refused because the rate limit is used up (status 429). Try again in ${seconds}.`;
    case 'service_error':
      return `${title} failed in the ${peer.name} (status ${status}).${because} Try again later.`;
    default:
      return `${title} was refused (status ${status}).${because} Check the fields that were sent.`;
  }
}

function reason(
  problem: Problem | undefined,
  response: TransportResponse,
  { peer, redact }: CallContext,
): string {
  const words = [problem?.detail, problem?.title].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  if (words !== undefined) return ` The ${peer.name} says: ${sentence(words)}`;
  if (problem || isEmpty(response)) return '';
  return ` The response is no problem document, so a proxy may have sent it (${outline(response, redact)}).`;
}

function isEmpty({ body }: TransportResponse): boolean {
  return body.trim() === '';
}

/** What a stranger's body is, without its words, which may be anything: a page is known by its title. */
function outline({ headers, body }: TransportResponse, redact: Redact): string {
  const [type = 'no content type'] =
    /^[\w.+-]+\/[\w.+-]+/.exec(redact(headers['content-type'] ?? '')) ?? [];
  const [, words = ''] = /<title\b[^>]*>([^<]+)<\/title/i.exec(body.slice(0, headLength)) ?? [];
  const title = words && `, titled "${excerpt(redact(words))}"`;
  return `${type}, ${body.length} characters${title}`;
}

function sentence(words: string): string {
  const text = excerpt(words);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** One bounded line. */
function excerpt(words: string): string {
  const line = words
    .slice(0, headLength)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength).toWellFormed()}…` : line;
}
