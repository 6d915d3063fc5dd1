import * as z from 'zod';
import type { Operation, ProblemStatus } from '../api/operation.ts';
import type { ResponseName } from '../records/response-schemas.ts';
import { type Need, needs, rights } from '../records/rights.ts';

export type JsonSchema = Record<string, unknown>;

const problems: Readonly<Record<ProblemStatus, string>> = {
  400: 'A parameter or body field is missing or invalid; `detail` names it.',
  401: 'The token or the signature is missing or invalid.',
  403: 'The token lacks a right; `detail` names it.',
  404: 'It does not exist, or belongs to another source.',
  409: 'The subscription is off.',
  410: 'The relay no longer has every event after this position. `position` says where to continue.',
  413: 'The body is too large.',
  429: 'Rate limit reached. Wait as long as Retry-After says.',
  503: 'The database does not respond. Wait as long as Retry-After says.',
};

/** The caller, its rights, its path, and its input can be wrong, and the database away. */
export function apiProblems(
  { need, query, body, problems = [] }: Operation,
  path: string,
): ProblemStatus[] {
  return [
    ...problems,
    ...(query || body ? ([400] as const) : []),
    ...(path.includes('{id}') ? ([404] as const) : []),
    ...(body ? ([413] as const) : []),
    ...(need && mayRefuse(need, path) ? ([403] as const) : []),
    ...([401, 429, 503] as const),
  ];
}

/** A list leaves out what belongs to others. */
function mayRefuse(need: Need, path: string): boolean {
  const reaches = Object.values<string>(needs[need]);
  const isForAll = reaches.length === Object.keys(rights).length;
  return !isForAll || (path.includes('{id}') && reaches.includes('own'));
}

/** An operation in OpenAPI's format, except for what its tag says. */
export function operationObject(operation: Operation, path: string): JsonSchema {
  const { id, summary, description, body } = operation;
  const parameters = [...pathParameters(path), ...queryParameters(operation)];
  return {
    operationId: id,
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.safeParse({}).success === false,
        content: { 'application/json': { schema: jsonSchema(body, 'input') } },
      },
    }),
    ...(id === 'ingress' && ingressRequest),
    responses: { ...successes(operation), ...problemResponses(operation) },
  };
}

const ingressRequest: JsonSchema = {
  parameters: [
    {
      name: 'source',
      in: 'path',
      required: true,
      description: 'Name of the source.',
      schema: { type: 'string' },
    },
    {
      name: 'X-Service-Signature',
      in: 'header',
      required: true,
      description: 'The signature of the service.',
      schema: { type: 'string' },
    },
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { type: 'object' } } },
  },
};

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'As a list shows it.',
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Operation): JsonSchema[] {
  if (!query) return [];
  const { properties = {} } = jsonSchema(query, 'input') as { properties?: JsonSchema };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: query.shape[name]?.description ?? name,
    schema,
  }));
}

function successes({ success, summary }: Operation): JsonSchema {
  return Object.fromEntries(
    Object.entries(success).map(([status, name]) => [
      status,
      { description: `${summary}: done.`, ...(name && json('application/json', name)) },
    ]),
  );
}

function problemResponses({ problems: statuses = [] }: Operation): JsonSchema {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: problems[status],
        ...(status >= 429 && {
          headers: {
            'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
          },
        }),
        ...json('application/problem+json', 'Problem'),
      },
    ]),
  );
}

function json(type: string, name: ResponseName): JsonSchema {
  return { content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } } };
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return rest;
}
