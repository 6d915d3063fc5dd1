import type { Operation } from '@screen-advertising/core';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';
import {
  type DocumentedOperation,
  type JsonSchema,
  json,
  reference,
} from '@screen-advertising/server-kit';
import type { RouteNotes } from '../routes/route.ts';
import { recordName } from './schemas.ts';

/** An operation of the catalogue, with the assumed variants, for the OpenAPI document. */
export function documented(operation: Operation, notes: RouteNotes = {}): DocumentedOperation {
  const { name, title, description, resource, method, path, scopes, section } = operation;
  const hasBody = method === 'POST' && operation.body !== 'none';
  const takesFields = formFields(operation).some((field) => field.in !== 'path');
  const content = json(responseSchema(operation, notes), responseExample(operation, notes));
  return {
    id: name,
    title,
    description,
    tag: resource.plural,
    method,
    path,
    security: scopes,
    input: inputJsonSchema(operation),
    body: hasBody ? 'required' : 'none',
    successes: { [operation.successStatus]: { description, content } },
    problems: {
      ...((takesFields || hasBody) && { 400: invalid }),
      401: 'The bearer token is missing, unknown or expired.',
      403: 'The access lacks the scope; `detail` names it.',
      ...(path.includes('{') && { 404: 'It does not exist, or this access cannot see it.' }),
      ...(hasBody && { 415: noJson }),
      429: tooMany,
      ...notes.problems,
    },
    more: { 'x-section': section },
  };
}

export const invalid = 'A parameter is missing, invalid, or against a rule; `detail` names it.';
export const noJson = 'The Content-Type is not application/json.';
export const tooMany = 'Rate limit reached. Wait as long as Retry-After says.';

const lastPage = { cursor: null, has_more: false, total_count: 1 };

function responseExample({ responseShape, sample }: Operation, notes: RouteNotes): unknown {
  if (responseShape !== 'record') return { data: [sample], pagination: lastPage };
  return notes.isUnderData ? { data: sample } : sample;
}

function responseSchema(operation: Operation, notes: RouteNotes): JsonSchema {
  const record = reference(recordName(operation));
  if (notes.isUnderData) return object({ data: record });
  if (operation.responseShape === 'record') return record;
  return object({ data: { type: 'array', items: record }, pagination: reference('Pagination') });
}

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
