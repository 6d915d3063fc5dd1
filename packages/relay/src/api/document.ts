import {
  type RelayOperation,
  relayContract,
  relayRecordSchemas,
} from '@screen-advertising/core/relay-contract';
import {
  type DocumentedOperation,
  openApiDocument as document,
  type JsonSchema,
  jsonContent,
} from '@screen-advertising/server-kit';
import * as z from 'zod';
import { rights, rightsByNeed } from '../subscribe/rights.ts';

const tags = {
  Service: 'For the service to call.',
  Connection: 'Information about a token.',
  Subscriptions: 'Targets that receive events.',
  Events: 'Events that the service delivered.',
  Deliveries: 'The status of each event for each subscription.',
  Operations: 'Health checks.',
} as const;

const problems = {
  400: 'A parameter or body field is missing or invalid; `detail` names it.',
  401: 'The token or the signature is missing or invalid.',
  403: 'The token lacks a right; `detail` names it.',
  404: 'It does not exist, or belongs to another source.',
  413: 'The body is too large.',
  429: 'Rate limit reached. Wait as long as Retry-After says.',
  503: 'The database does not respond. Wait as long as Retry-After says.',
} as const;

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

const stored = { description: 'Stored, or a duplicate.', content: jsonContent(otherBodies.Stored) };
const healthy = { description: 'It does.', content: jsonContent(otherBodies.Health) };

const { 403: _rights, 429: _limit, ...withoutRights } = problems;

/** Operations that need no token. */
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
    input: z.looseObject({ source: z.string().describe('Name of the source.') }),
    body: 'required',
    more: {
      parameters: [
        {
          name: 'X-Service-Signature',
          in: 'header',
          required: true,
          description: 'The signature of the service.',
          schema: { type: 'string' },
        },
      ],
    },
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
    successes: { 200: healthy },
    problems: { 503: problems[503] },
  },
];

/** The relay's API as an OpenAPI 3.1 document, made from the contract that validates its requests. */
export function openApiDocument(): JsonSchema {
  return document([...others, ...Object.values(relayContract).map(documented)], {
    info: {
      title: 'Screen Advertising relay',
      version: '1',
      description:
        'One registered webhook address, any number of subscribers. Lists come in pages: send `pagination.cursor` as `cursor` to get the next one.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The relay that served this document.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of a connector key: the part before the first dot. An operation names the rights of which the token needs one.',
        },
      },
      schemas: { ...relayRecordSchemas, ...otherBodies },
    },
  });
}

const id = z.string().describe('As a list shows it.');

function documented(operation: RelayOperation): DocumentedOperation {
  const {
    title,
    description,
    method,
    path,
    need,
    output,
    fields = {},
    statuses = [200],
  } = operation;
  const { shape } = operation.input;
  const isEmpty = Object.keys(shape).length === 0;
  const hasBody = !isEmpty && method !== 'GET' && method !== 'DELETE';
  const success = {
    description: `${title}: done.`,
    ...(output && { content: jsonContent(relayRecordSchemas[output]) }),
  };
  return {
    id: operation.id,
    title,
    description,
    tag: tagOf(operation),
    method,
    path: `/api/v1${path}`,
    security: Object.keys(rightsByNeed[need]),
    input: z.strictObject({ ...(path.includes('{id}') && { id }), ...shape }),
    help: fields,
    body: hasBody ? bodyOf(operation) : undefined,
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
  const reaches = Object.values<string>(rightsByNeed[need]);
  const isForAll = reaches.length === Object.keys(rights).length;
  return !isForAll || (path.includes('{id}') && reaches.includes('own'));
}
