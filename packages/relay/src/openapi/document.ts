import { apiOperations } from '../api/api-app.ts';
import type { Operation } from '../api/operation.ts';
import { responses } from '../records/response-schemas.ts';
import { needs } from '../records/rights.ts';
import { apiProblems, type JsonSchema, jsonSchema, operationObject } from './operation-object.ts';

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
          description:
            'The token of a connector key: the part before the first dot. An operation names the rights of which the token needs one.',
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

/** Any of them suffices. */
function rightsFor({ need }: Operation): readonly string[] {
  return need ? Object.keys(needs[need]) : [];
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
          security: rightsFor(operation).map((right) => ({ bearer: [right] })),
          ...operationObject(documented, path),
        },
      };
    }
  }
  return result;
}
