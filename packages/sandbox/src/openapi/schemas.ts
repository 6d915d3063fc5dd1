import { type Operation, operations } from '@screen-advertising/core';
import { pagination, tokenEndpoint } from '@screen-advertising/core/contract';
import { type JsonSchema, jsonSchema } from '@screen-advertising/server-kit';

const problem: JsonSchema = {
  title: 'Problem',
  description: 'RFC 7807 problem document (section 7).',
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The type of error.' },
    title: { type: 'string', description: 'Short label.' },
    status: { type: 'integer', description: 'The HTTP status code.' },
    detail: { type: 'string', description: 'Why this request failed.' },
    retry_after: { type: 'integer', description: 'Only on 429: seconds to wait.' },
  },
};

/** The schema name of an operation's records, such as `Screen`. */
export function recordName(operation: Operation): string {
  const { title } = jsonSchema(operation.output, 'output');
  return String(title).replaceAll(' ', '');
}

/** Every schema with more than one reference. */
export function componentSchemas(): Record<string, JsonSchema> {
  const records = Object.values(operations).map((operation) => [
    recordName(operation),
    jsonSchema(operation.output, 'output'),
  ]);
  return {
    ...Object.fromEntries(records),
    Pagination: { title: 'Pagination', ...jsonSchema(pagination, 'output') },
    Problem: problem,
    Token: jsonSchema(tokenEndpoint.output, 'output'),
  };
}
