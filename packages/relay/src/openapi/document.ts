import * as z from 'zod';
import { apiOperations } from '../api/api-app.ts';
import type { Operation, ProblemStatus } from '../api/operation.ts';
import { type ResponseName, responses } from '../api/response-schemas.ts';

type JsonSchema = Record<string, unknown>;

const problems: Readonly<Record<ProblemStatus, string>> = {
  400: 'A parameter or body field is missing or invalid; `detail` names it.',
  401: 'The token or the signature is missing or invalid.',
  404: 'It does not exist, or this token cannot see it.',
  409: 'The subscription is off.',
  410: 'The relay no longer has every event after this position. `position` says where to continue.',
  413: 'The body is too large.',
  429: 'Rate limit reached. Wait as long as Retry-After says.',
  503: 'The database does not respond. Wait as long as Retry-After says.',
};

const tags = {
  Service: 'For the service to call.',
  Connection: 'Information about a token.',
  Subscriptions: 'Targets that receive events.',
  Events: 'Events that the service delivered.',
  Deliveries: 'The status of each event for each subscription.',
  Operations: 'Health checks.',
} as const;

/** Every route for machines, by tag, then by method and path. */
const operationsOfRelay: Readonly<Record<keyof typeof tags, Readonly<Record<string, Operation>>>> =
  {
    Service: {
      'POST /in/{source}': {
        id: 'ingress',
        summary: 'Receive an event',
        description:
          'The address to register with the service. The relay responds after storing the event: 202, or 200 for a duplicate.',
        success: { 200: 'Stored', 202: 'Stored' },
        problems: [400, 401, 404, 413, 503],
      },
    },
    ...apiOperations,
    Operations: {
      'GET /healthz': {
        id: 'health',
        summary: 'Check that the process runs',
        description: 'Does not check the database.',
        success: { 200: 'Health' },
      },
      'GET /readyz': {
        id: 'readiness',
        summary: 'Check that requests can be served',
        description: 'Checks that the database can write.',
        success: { 200: 'Health' },
        problems: [503],
      },
    },
  };

/**
 * The relay's API as an OpenAPI 3.1 document, generated from the schemas that validate its
 * requests.
 */
export function openApiDocument(): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Screen Advertising relay',
      version: '1',
      description:
        'One registered webhook address, any number of subscribers. Lists come in pages: send `pagination.cursor` as `cursor` to get the next one.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The relay that served this document.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a connector key: the part before the first dot.',
        },
      },
      schemas: Object.fromEntries(
        Object.entries(responses).map(([name, schema]) => [
          name,
          { title: name, ...jsonSchema(schema, 'output') },
        ]),
      ),
    },
  };
}

function paths(): Record<string, JsonSchema> {
  const result: Record<string, JsonSchema> = {};
  for (const [tag, operations] of Object.entries(operationsOfRelay)) {
    const isApi = Object.hasOwn(apiOperations, tag);
    for (const [route, operation] of Object.entries(operations)) {
      const [method = '', path = ''] = route.split(' ');
      const url = isApi ? `/api/v1${path}` : path;
      const documented = { ...operation, ...(isApi && { problems: apiProblems(operation, path) }) };
      result[url] = {
        ...result[url],
        [method.toLowerCase()]: {
          tags: [tag],
          security: isApi ? [{ bearer: [] }] : [],
          ...operationObject(documented, path),
        },
      };
    }
  }
  return result;
}

/** The caller, its path, and its input can be wrong, and the database away. */
function apiProblems({ query, body, problems = [] }: Operation, path: string): ProblemStatus[] {
  return [
    ...problems,
    ...(query || body ? ([400] as const) : []),
    ...(path.includes('{id}') ? ([404] as const) : []),
    ...(body ? ([413] as const) : []),
    ...([401, 429, 503] as const),
  ];
}

function operationObject(operation: Operation, path: string): JsonSchema {
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
    responses: { ...successes(operation), ...refusals(operation) },
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

function refusals({ problems: statuses = [] }: Operation): JsonSchema {
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

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return rest;
}
