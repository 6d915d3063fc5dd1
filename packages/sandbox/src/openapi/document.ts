import { events, type Operation, operations } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import {
  type DocumentedOperation,
  type JsonSchema,
  json,
  jsonSchema,
  pathsOf,
  reference,
} from '@screen-advertising/server-kit';
import { couponNotes } from '../routes/coupons.ts';
import type { RouteNotes } from '../routes/route.ts';
import { userNotes } from '../routes/users.ts';
import { documented, invalid, noJson, tooMany } from './operation-object.ts';
import { componentSchemas } from './schemas.ts';
import { webhookObject } from './webhook-object.ts';

const sandboxBaseUrl = 'http://127.0.0.1:8787/api/v1';

/** The partner interface as an OpenAPI 3.1 document, generated from the catalogue. */
export function openApiDocument(baseUrl = sandboxBaseUrl): JsonSchema {
  const resources = [...new Set(Object.values(operations).map(({ resource }) => resource))];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Screen Advertising partner interface',
      version: '1',
      description:
        'The partner interface as its specification describes it, with assumptions for what it leaves open. `x-section` is the section of the specification.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The address that the Screen Advertising team gave you, or a sandbox.',
        variables: { base_url: { default: baseUrl, description: 'Ends in /api/v1.' } },
      },
    ],
    tags: [
      { name: 'Authentication', description: 'Access tokens for client credentials.' },
      ...resources.map(({ plural, description }) => ({ name: plural, description })),
      { name: 'Events', description: 'Deliveries to webhook addresses.' },
    ],
    paths: paths(),
    webhooks: Object.fromEntries(
      Object.values(events).map((event) => [event.name, webhookObject(event)]),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, which starts with svc_, or an access token from POST /oauth/token.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

const notes: Readonly<Record<string, RouteNotes>> = { ...couponNotes, ...userNotes };

function paths(): Record<string, JsonSchema> {
  const ofCatalogue = Object.values<Operation>(operations).map((operation) =>
    documented(operation, notes[operation.name]),
  );
  return pathsOf([tokenOperation, ...ofCatalogue]);
}

const tokenOperation: DocumentedOperation = {
  id: 'token.create',
  title: 'Get Access Token',
  description:
    'Exchanges client credentials for an access token. Reuse it for its whole hour: the rate limit is 10 requests a minute for each IP address.',
  tag: 'Authentication',
  method: 'POST',
  path: tokenEndpoint.path,
  security: [],
  input: {
    ...jsonSchema(tokenEndpoint.input, 'input'),
    examples: [{ client_id: '<CLIENT_ID>', client_secret: '<CLIENT_SECRET>' }],
  },
  body: 'required',
  successes: {
    200: {
      description: 'An access token that is valid for an hour.',
      content: json(reference('Token'), {
        access_token: '<ACCESS_TOKEN>',
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'screens:read',
      }),
    },
  },
  problems: {
    400: invalid,
    401: 'The credentials are unknown.',
    415: noJson,
    429: tooMany,
  },
  more: { 'x-section': tokenEndpoint.section },
};
