import type { Operation } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import { type JsonSchema, recordName, reference } from './schemas.ts';

type Responses = Record<string, JsonSchema>;

const problems = {
  400: 'A parameter is missing, invalid, or against a rule; `detail` names it.',
  401: 'The bearer token is missing, unknown or expired.',
  403: 'The access lacks the scope; `detail` names it.',
  404: 'It does not exist, or this access cannot see it.',
  409: 'The code is taken, or the lead already has an active coupon from this access.',
  415: 'The Content-Type is not application/json.',
  429: 'Rate limit reached. Wait as long as Retry-After says.',
} as const;

type ProblemStatus = keyof typeof problems;

/** All responses of an operation, with the assumed variants. */
export function responsesOf(operation: Operation): Responses {
  return {
    [operation.successStatus]: response(
      operation.description,
      responseSchema(operation),
      responseExample(operation),
    ),
    ...problemResponses(problemsOf(operation)),
  };
}

export function tokenResponses(example: unknown): Responses {
  return {
    200: response('An access token that is valid for an hour.', reference('Token'), example),
    ...problemResponses([400, 401, 415, 429]),
  };
}

const lastPage = { cursor: null, has_more: false, total_count: 1 };

function responseExample({ name, responseShape, sample }: Operation): unknown {
  if (responseShape !== 'record') return { data: [sample], pagination: lastPage };
  return name === 'user.lookup' ? { data: sample } : sample;
}

function problemsOf(operation: Operation): ProblemStatus[] {
  const { method, name, path, body } = operation;
  const inPath = path.includes('{');
  const takesBody = method === 'POST' && body !== 'none';
  const takesFields = formFields(operation).some((field) => field.in !== 'path');
  const canBeInvalid = takesFields || takesBody || name === 'coupon.revoke';
  return [
    ...(canBeInvalid ? ([400] as const) : []),
    401,
    403,
    ...(inPath ? ([404] as const) : []),
    ...(name === 'coupon.create' ? ([409] as const) : []),
    ...(takesBody ? ([415] as const) : []),
    429,
  ];
}

function responseSchema(operation: Operation): JsonSchema {
  const record = reference(recordName(operation));
  if (operation.name === 'user.lookup') return object({ data: record });
  if (operation.responseShape === 'record') return record;
  return object({ data: { type: 'array', items: record }, pagination: reference('Pagination') });
}

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function response(description: string, schema: JsonSchema, example: unknown): JsonSchema {
  return { description, content: { 'application/json': { schema, example } } };
}

function problemResponses(statuses: readonly ProblemStatus[]): Responses {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: problems[status],
        ...(status === 429 && {
          headers: {
            'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
          },
        }),
        content: { 'application/problem+json': { schema: reference('Problem') } },
      },
    ]),
  );
}
