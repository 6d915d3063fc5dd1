import type * as z from 'zod/mini';
import type { Endpoint, Task } from '../catalogue/operation.ts';
import { InputError, type InputIssue } from '../errors/error-classes.ts';
import { isRecord } from '../json.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { version } from './version.ts';

/** The part of a request that follows from the operation and its input. */
export interface PreparedRequest {
  readonly method: TransportRequest['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const accept = { accept: 'application/json, application/problem+json' };

/** Checks the input against the contract. Throws InputError before anything is sent. */
export function parseInput<Input extends z.ZodMiniType>(
  operation: Pick<Task<string, Input>, 'title' | 'input'>,
  input: unknown,
): z.output<Input> {
  // Where fields of any name are allowed, the parser would silently drop this one.
  if (isRecord(input) && Object.hasOwn(input, '__proto__')) {
    throw new InputError(operation.title, [unknownField('__proto__')]);
  }
  const result = operation.input.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw new InputError(operation.title, result.error.issues.flatMap(issuesOf));
}

function unknownField(field: string): InputIssue {
  return { field, message: 'is not a field of this operation' };
}

function issuesOf(issue: z.core.$ZodIssue): InputIssue[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownField);
  if (issue.code === 'invalid_key') return [{ field, message: 'every field must have a name' }];
  if (field === '' && issue.code === 'invalid_type') {
    return [{ field, message: 'the input must be an object with fields and their values' }];
  }
  return [{ field, message: issue.input === undefined ? 'is required' : issue.message }];
}

/** Input must already have passed `parseInput`. */
export function buildRequest(
  baseUrl: string,
  operation: Endpoint,
  input: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = accept,
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
  if (!runtime && !own) return undefined;
  const name = `screen-advertising-core/${version}`;
  return [own, name, runtime && `(${runtime})`].join(' ').trim();
}
