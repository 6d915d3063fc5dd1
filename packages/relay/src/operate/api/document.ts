import { records, relayContract } from '@screen-advertising/core/relay-contract';
import {
  type DocumentedOperation,
  type JsonSchema,
  json,
  jsonSchema,
  pathsOf,
  reference,
} from '@screen-advertising/server-kit';
import * as z from 'zod';
import { documented, problems } from './documented.ts';

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

const { 403: _rights, 429: _limit, ...withoutRights } = problems;

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
    problems: withoutRights,
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

/** Bodies of responses that are not records. */
const otherBodies = {
  Stored: z
    .object({ stored: z.boolean().describe('False for a duplicate') })
    .describe('How the relay handled a delivery from the service'),
  Problem: z
    .looseObject({
      type: z.string().describe('Type of problem'),
      title: z.string().describe('Short label'),
      status: z.int().describe('The HTTP status code'),
      detail: z.string().describe('What is wrong, and what to do'),
      position: z.string().optional().describe('With 410: where to continue'),
    })
    .describe('RFC 7807 problem document'),
  Health: z.object({ status: z.string() }).describe('Health of the relay'),
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
      schemas: schemasOf({ ...records, ...otherBodies }),
    },
  };
}

function schemasOf(bodies: Readonly<Record<string, z.core.$ZodType>>) {
  return Object.fromEntries(
    Object.entries(bodies).map(([name, schema]) => [
      name,
      { title: name, ...jsonSchema(schema, 'output') },
    ]),
  );
}
