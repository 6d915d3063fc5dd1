import type { Problem } from '../errors/problem.ts';
import { ProblemError } from '../errors/problem-error.ts';
import { ResponseError } from '../errors/response-error.ts';
import type { ErrorCode, ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { redact, redactAll } from './redact.ts';
import { retryableStatuses } from './retry.ts';
import { readRetryAfter } from './retry-after.ts';

/** What the error's words need to know of the call. */
export interface CallContext {
  /** Title of the operation, such as `Create Coupon`. */
  readonly title: string;
  readonly scopes: readonly string[];
  readonly now: number;
  readonly secrets: readonly string[];
}

const excerptLength = 200;

/** Turns an answer that is no success into an error that says what happened and how to mend it. */
export function errorFrom(
  response: TransportResponse,
  context: CallContext,
): ScreenAdvertisingError {
  const { status } = response;
  if (status < 400) return unusable(response, context);
  const problem = readProblem(response.body, context.secrets);
  const retryAfter = readRetryAfter(response, problem, context.now);
  const said = sentence(saidBy(problem) ?? redact(response.body, context.secrets));
  return new ProblemError(codeOf(status), messageOf(status, said, retryAfter, context), {
    status,
    problem,
    retryAfter,
    isRetryable: status === 429 || status === 500 || retryableStatuses.has(status),
  });
}

/** A status below 400 whose answer cannot be read. */
export function unusable(response: TransportResponse, context: CallContext): ResponseError {
  const { status, headers } = response;
  const body = excerpt(redact(response.body, context.secrets));
  if (status >= 300) {
    return new ResponseError(
      `${context.title} was answered with a redirect (status ${status}${redirectTarget(headers.location)}), which is not followed because it would carry your credentials along. Check the base URL.`,
      status,
    );
  }
  return new ResponseError(
    `${context.title} was answered with status ${status}, but ${body ? `the body is no JSON of the expected shape: "${body}"` : 'the body is empty'}. Check that the base URL leads to the service and not to a web page.`,
    status,
  );
}

function redirectTarget(location: string | undefined): string {
  return location && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}

const problemMembers = ['type', 'title', 'status', 'detail', 'retry_after'];

/** Whatever the content type says: a proxy may change it, and the members tell enough. */
function readProblem(body: string, secrets: readonly string[]): Problem | undefined {
  const parsed = parseJsonOr(body, undefined);
  if (!isRecord(parsed) || !problemMembers.some((name) => Object.hasOwn(parsed, name))) {
    return undefined;
  }
  try {
    return redactAll(parsed, secrets) as Problem;
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
  said: string,
  retryAfter: number | undefined,
  { title, scopes }: CallContext,
): string {
  const because = said && ` The service says: ${said}`;
  const seconds = retryAfter === undefined ? 'a minute' : `${Math.ceil(retryAfter)} s`;
  switch (codeOf(status)) {
    case 'authentication_failed':
      return `${title} was refused because the credentials were not accepted (status 401).${because} Check that they were copied whole, belong to this base URL and were not withdrawn.`;
    case 'missing_scope':
      return `${title} was refused because the access lacks the scope ${scopes.join(' or ')} (status 403).${because} Ask the administration of the service to grant it.`;
    case 'not_found':
      return `${title} found nothing (status 404).${because}`;
    case 'conflict':
      return `${title} was refused because of a conflict (status 409).${because}`;
    case 'rate_limited':
      return `${title} was refused because the rate limit is used up (status 429). Try again in ${seconds}.`;
    case 'service_error':
      return `${title} failed in the service (status ${status}).${because} Try again later.`;
    default:
      return `${title} was refused (status ${status}).${because} Check the fields that were sent.`;
  }
}

function saidBy(problem: Problem | undefined): string | undefined {
  return [problem?.detail, problem?.title].find(
    (words) => typeof words === 'string' && words.trim() !== '',
  );
}

function sentence(words: string): string {
  const text = excerpt(words);
  return text && !/[.!?…]$/.test(text) ? `${text}.` : text;
}

/** One bounded line of whatever came, without markup. */
function excerpt(body: string): string {
  const line = body
    .slice(0, excerptLength * 20)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)|<[!/]?[a-z][^>]*>/gi, ' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength).toWellFormed()}…` : line;
}
