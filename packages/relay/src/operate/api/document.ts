import { relayContract } from '@screen-advertising/core/relay-contract';
import {
  type DocumentedOperation,
  type JsonSchema,
  json,
  pathsOf,
  reference,
} from '@screen-advertising/server-kit';
import { documented, problems, recordSchemas } from './documented.ts';

const tags = {
  Service: 'For the service to call.',
  Connection: 'Information about a token.',
  Subscriptions: 'Targets that receive events.',
  Events: 'Events that the service delivered.',
  Deliveries: 'The status of each event for each subscription.',
  Operations: 'Health checks.',
} as const;

const stored = { description: 'Stored, or a duplicate.', content: json(reference('Stored')) };
const healthy = { description: 'It does.', content: json(reference('Health')) };

/** What needs no token. */
const others: readonly DocumentedOperation[] = [
  {
    id: 'ingress',
    title: 'Receive Event',
    description:
      'The address to register with the service. The relay responds after storing the event: 202, or 200 for a duplicate.',
    tag: 'Service',
    method: 'POST',
    path: '/in/{source}',
    security: [],
    input: {
      type: 'object',
      properties: { source: { type: 'string', description: 'Name of the source.' } },
      required: ['source'],
    },
    body: 'required',
    headers: [
      {
        name: 'X-Service-Signature',
        in: 'header',
        required: true,
        description: 'The signature of the service.',
        schema: { type: 'string' },
      },
    ],
    successes: { 200: stored, 202: stored },
    problems: {
      400: problems[400],
      401: problems[401],
      404: problems[404],
      413: problems[413],
      503: problems[503],
    },
  },
  {
    id: 'health',
    title: 'Check Process',
    description: 'Checks that the process runs, and not its database.',
    tag: 'Operations',
    method: 'GET',
    path: '/healthz',
    security: [],
    input: {},
    body: 'none',
    successes: { 200: healthy },
    problems: {},
  },
  {
    id: 'readiness',
    title: 'Check Service',
    description: 'Checks that requests can be served: that the database can write.',
    tag: 'Operations',
    method: 'GET',
    path: '/readyz',
    security: [],
    input: {},
    body: 'none',
    successes: { 200: healthy },
    problems: { 503: problems[503] },
  },
];

const text = (description: string) => ({ type: 'string', description });

const otherSchemas: Record<string, JsonSchema> = {
  Stored: {
    title: 'Stored',
    description: 'How the relay handled a delivery from the service',
    type: 'object',
    required: ['stored'],
    properties: { stored: { type: 'boolean', description: 'False for a duplicate' } },
  },
  Problem: {
    title: 'Problem',
    description: 'RFC 7807 problem document',
    type: 'object',
    required: ['type', 'title', 'status', 'detail'],
    properties: {
      type: text('Type of problem'),
      title: text('Short label'),
      status: { type: 'integer', description: 'The HTTP status code' },
      detail: text('What is wrong, and what to do'),
      position: text('With 410: where to continue'),
    },
  },
  Health: {
    title: 'Health',
    description: 'Health of the relay',
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  },
};

/** The relay's API as an OpenAPI 3.1 document, made from the contract that validates its requests. */
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
    paths: pathsOf([...others, ...Object.values(relayContract).map(documented)]),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of a connector key: the part before the first dot. An operation names the rights of which the token needs one.',
        },
      },
      schemas: { ...recordSchemas(), ...otherSchemas },
    },
  };
}
