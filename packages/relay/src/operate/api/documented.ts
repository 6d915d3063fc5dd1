import type { RelayOperation } from '@screen-advertising/core/relay-contract';
import {
  type DocumentedOperation,
  type InputSchema,
  json,
  jsonSchema,
  reference,
} from '@screen-advertising/server-kit';
import { needs, rights } from '../../subscribe/records/rights.ts';

export const problems = {
  400: 'A parameter or body field is missing or invalid; `detail` names it.',
  401: 'The token or the signature is missing or invalid.',
  403: 'The token lacks a right; `detail` names it.',
  404: 'It does not exist, or belongs to another source.',
  413: 'The body is too large.',
  429: 'Rate limit reached. Wait as long as Retry-After says.',
  503: 'The database does not respond. Wait as long as Retry-After says.',
} as const;

export function documented(operation: RelayOperation): DocumentedOperation {
  const { id, title, description, method, path, need, output, statuses = [200] } = operation;
  const input = inputOf(operation);
  const isEmpty = Object.keys(operation.input.shape).length === 0;
  const hasBody = !isEmpty && method !== 'GET' && method !== 'DELETE';
  const success = {
    description: `${title}: done.`,
    ...(output && { content: json(reference(output)) }),
  };
  return {
    id,
    title,
    description,
    tag: tagOf(operation),
    method,
    path: `/api/v1${path}`,
    security: Object.keys(needs[need]),
    input,
    body: hasBody ? bodyOf(operation) : 'none',
    successes: Object.fromEntries(statuses.map((status) => [status, success])),
    problems: problemsOf(operation, isEmpty, hasBody),
  };
}

function bodyOf({ input }: RelayOperation) {
  return input.safeParse({}).success ? 'optional' : 'required';
}

/** Its records in Title Case. */
function tagOf({ id }: Pick<RelayOperation, 'id'>): string {
  const [resource = ''] = id.split('.');
  return id.includes('.') ? resource.charAt(0).toUpperCase() + resource.slice(1) : 'Connection';
}

/** With the ID in the path, and the help that clients do not bundle. */
function inputOf({ input, fields = {}, path }: RelayOperation): InputSchema {
  const schema: InputSchema = jsonSchema(input, 'input');
  const { properties = {}, required = [] } = schema;
  const id = { type: 'string', description: 'As a list shows it.' };
  const described = Object.entries(properties).map(([name, field]) => {
    const description = fields[name] ?? field.description;
    return [name, { ...field, ...(description !== undefined && { description }) }];
  });
  const isById = path.includes('{id}');
  return {
    ...schema,
    properties: { ...(isById && { id }), ...Object.fromEntries(described) },
    required: isById ? ['id', ...required] : required,
  };
}

/** The caller, its rights, its path, and its input can be wrong, and the database away. */
function problemsOf(operation: RelayOperation, isEmpty: boolean, hasBody: boolean) {
  const { path, conflicts = [] } = operation;
  const { 400: invalid, 403: forbidden, 404: unknown, 413: tooLarge, ...always } = problems;
  return {
    ...always,
    ...(!isEmpty && { 400: invalid }),
    ...(mayRefuse(operation) && { 403: forbidden }),
    ...(path.includes('{id}') && { 404: unknown }),
    ...(conflicts.length > 0 && { 409: conflicts.join(' Or: ') }),
    ...(hasBody && { 413: tooLarge }),
    ...operation.problems,
  };
}

/** A list leaves out what belongs to others. */
function mayRefuse({ need, path }: RelayOperation): boolean {
  const reaches = Object.values<string>(needs[need]);
  const isForAll = reaches.length === Object.keys(rights).length;
  return !isForAll || (path.includes('{id}') && reaches.includes('own'));
}
