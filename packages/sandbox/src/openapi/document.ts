import { events, type Operation, operations } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { operationObject, tokenResponses } from './operation-object.ts';
import { componentSchemas, type JsonSchema, json, reference } from './schemas.ts';
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

function paths(): Record<string, JsonSchema> {
  const result: Record<string, JsonSchema> = {
    [tokenEndpoint.path]: { post: tokenOperation() },
  };
  for (const operation of Object.values<Operation>(operations)) {
    const method = operation.method.toLowerCase();
    result[operation.path] = { ...result[operation.path], [method]: operationObject(operation) };
  }
  return result;
}

function tokenOperation(): JsonSchema {
  return {
    operationId: 'token.create',
    summary: 'Get Access Token',
    description:
      'Exchanges client credentials for an access token. Reuse it for its whole hour: the rate limit is 10 requests a minute for each IP address.',
    tags: ['Authentication'],
    'x-section': tokenEndpoint.section,
    security: [],
    requestBody: {
      required: true,
      content: json(reference('TokenRequest'), {
        client_id: '<CLIENT_ID>',
        client_secret: '<CLIENT_SECRET>',
      }),
    },
    responses: tokenResponses({
      access_token: '<ACCESS_TOKEN>',
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'screens:read',
    }),
  };
}
