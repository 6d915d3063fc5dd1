import type * as z from 'zod/mini';
import type { CatalogueEntry, Endpoint, Page } from '../catalogue/operation.ts';
import { InputError, type InputIssue } from '../errors/error-classes.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { invalidOptionError, isPrintable } from './options.ts';
import { safeOutsideText } from './redact.ts';
import { version } from './version.ts';

/** The part of a request that follows from the operation and its input. */
export interface PreparedRequest {
  readonly method: TransportRequest['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const acceptHeader = { accept: 'application/json, application/problem+json' };

/** Checks the input against the contract. Throws InputError before anything is sent. */
export function parseInput<Input extends z.ZodMiniType>(
  operation: Pick<CatalogueEntry<string, Input>, 'title' | 'input'>,
  input: unknown,
): z.output<Input> {
  // Where fields of any name are allowed, the parser would silently drop this one.
  if (isRecord(input) && Object.hasOwn(input, '__proto__')) {
    throw new InputError(operation.title, [unknownField('__proto__')]);
  }
  // A Map or URLSearchParams holds no fields: to the parser, it would be an empty object.
  const given = isRecord(input) && Symbol.iterator in input ? undefined : input;
  const result = operation.input.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  throw new InputError(operation.title, result.error.issues.flatMap(issuesOf));
}

function unknownField(field: string): InputIssue {
  return { field, message: 'is not a field of this operation' };
}

function issuesOf(issue: z.core.$ZodIssue): InputIssue[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownField);
  if (field === '' && issue.code === 'invalid_type') {
    return [{ field, message: 'the input must be an object with fields and their values' }];
  }
  // The catalogue's own check says more about a missing field than the parser does.
  const isMissing = issue.input === undefined && issue.code !== 'custom';
  return [
    {
      field,
      message: isMissing ? 'is required' : messageQuotingValue(issue.message, givenOf(issue)),
    },
  ];
}

/** The value at fault. A check across fields reports all of them, and names one. */
function givenOf({ code, input, path }: z.core.$ZodIssue): unknown {
  const name = path.at(-1);
  const isAcross = code === 'custom' && isRecord(input) && typeof name === 'string';
  return isAcross ? input[name] : input;
}

const maxQuoted = 60;

/**
 * Adds the value to a message about what it must be: `must be a number, not "12 EUR"`. A value from
 * an expression or an earlier step is visible nowhere else.
 */
export function messageQuotingValue(message: string, given: unknown): string {
  if (!/^must (be|have) /.test(message)) return message;
  if (typeof given === 'string') {
    return `${message}, not "${safeOutsideText(given, { maxLength: maxQuoted })}"`;
  }
  const isShown = typeof given === 'number' || typeof given === 'boolean';
  return isShown ? `${message}, not ${given}` : message;
}

/** Input must already have passed `parseInput`. */
export function buildRequest(
  baseUrl: string,
  operation: Pick<Endpoint, 'method' | 'path' | 'body'>,
  input: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = acceptHeader,
): PreparedRequest {
  const { method } = operation;
  let path = operation.path;
  const rest: [string, unknown][] = [];
  for (const name of Object.keys(input)) {
    const value = input[name];
    const placeholder = `{${name}}`;
    if (operation.path.includes(placeholder)) {
      path = path.replace(placeholder, encodeURIComponent(String(value)));
    } else if (value !== undefined) rest.push([name, value]);
  }
  const url = `${baseUrl}${path}`;
  if (method === 'GET') {
    const query = rest.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    return { method, url: query.length > 0 ? `${url}?${query.join('&')}` : url, headers };
  }
  if (operation.body === 'none') return { method, url, headers };
  return {
    method,
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(rest)),
  };
}

/**
 * The header `user-agent`: the caller's own name, this package, and the runtime. Undefined where
 * neither is known, since a browser asks the service's permission for it.
 */
export function userAgentOf(
  { runtime }: Pick<Transport, 'runtime'>,
  own: string | undefined,
): string | undefined {
  if (own !== undefined && !isPrintable(own))
    throw invalidOptionError('userAgent', 'be printable ASCII');
  if (!runtime && !own) return undefined;
  const name = `screen-advertising-core/${version}`;
  return [own, name, runtime && `(${runtime})`].join(' ').trim();
}

/**
 * Reads a response tolerantly: only its shape matters, and values pass through untouched. Returns
 * undefined when the body does not fit the operation.
 */
export function parseResponse(
  operation: Endpoint,
  input: Readonly<Record<string, unknown>>,
  response: TransportResponse,
): unknown {
  if (operation.allowsEmptyResponse && response.body.trim() === '') return { ...input };
  const { responseShape, requiredFields } = operation;
  const body = parseJsonOr(response.body, undefined);
  const value = responseShape === 'record' ? readRecord(operation, body) : readPage(body);
  if (!requiredFields || !value) return value;
  const records = responseShape === 'record' ? [value] : (value as Page<unknown>).data;
  return records.every((record) => hasTexts(record, requiredFields)) ? value : undefined;
}

function hasTexts(record: unknown, names: readonly string[]): boolean {
  return isRecord(record) && names.every((name) => typeof record[name] === 'string');
}

function readRecord({ output }: Endpoint, body: unknown): unknown {
  if (!isRecord(body)) return undefined;
  const { data } = body;
  if (!isRecord(data)) return body;
  // A record may have its own member `data`. In that case its known fields are next to it.
  const { shape } = output as z.ZodMiniObject;
  for (const name of Object.keys(body)) {
    if (name !== 'data' && name in shape) return body;
  }
  return data;
}

function readPage(body: unknown): Page<unknown> | undefined {
  if (Array.isArray(body)) return { data: body, pagination: { has_more: false } };
  if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
  const pagination = isRecord(body.pagination) ? body.pagination : { has_more: false };
  return { ...body, data: body.data, pagination };
}
