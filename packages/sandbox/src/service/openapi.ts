import { events, type Operation, operations } from '@screen-advertising/core';
import { type EventKind, paginationSchema, tokenEndpoint } from '@screen-advertising/core/contract';
import { formFields } from '@screen-advertising/core/forms';
import {
  type DocumentedOperation,
  openApiDocument as document,
  type JsonSchema,
  jsonContent,
} from '@screen-advertising/server-kit';
import * as z from 'zod';
import { couponRouteNotes } from './coupons.ts';
import type { RouteNotes } from './route.ts';
import { userRouteNotes } from './users.ts';

const sandboxBaseUrl = 'http://127.0.0.1:8787/api/v1';

/** The partner interface as an OpenAPI 3.1 document, generated from the catalogue. */
export function openApiDocument(baseUrl = sandboxBaseUrl): JsonSchema {
  const catalogue = Object.values<Operation>(operations);
  const resources = [...new Set(catalogue.map(({ resource }) => resource))];
  return document([tokenOperation, ...catalogue.map((operation) => documented(operation))], {
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
      schemas: {
        ...Object.fromEntries(catalogue.map(({ output }) => [nameOf(output), output])),
        Pagination: paginationSchema,
        Problem: problem,
        Token: tokenEndpoint.output,
      },
    },
  });
}

/** The name of a record's schema, such as `CampaignRequest`. */
function nameOf(output: Operation['output']): string {
  return String(z.globalRegistry.get(output)?.title).replaceAll(' ', '');
}

const problem = z
  .looseObject({
    type: z.string().meta({ format: 'uri-reference', description: 'The type of error.' }),
    title: z.string().meta({ description: 'Short label.' }),
    status: z.int().meta({ description: 'The HTTP status code.' }),
    detail: z.string().meta({ description: 'Why this request failed.' }),
    retry_after: z.int().optional().meta({ description: 'Only on 429: seconds to wait.' }),
  })
  .meta({ title: 'Problem', description: 'RFC 7807 problem document (section 7).' });

const invalid = 'A parameter is missing, invalid, or against a rule; `detail` names it.';
const noJson = 'The Content-Type is not application/json.';
const tooMany = 'Rate limit reached. Wait as long as Retry-After says.';

const tokenOperation: DocumentedOperation = {
  id: 'token.create',
  title: 'Get Access Token',
  description:
    'Exchanges client credentials for an access token. Reuse it for its whole hour: the rate limit is 10 requests a minute for each IP address.',
  tag: 'Authentication',
  method: 'POST',
  path: tokenEndpoint.path,
  security: [],
  input: tokenEndpoint.input,
  body: 'required',
  successes: {
    200: {
      description: 'An access token that is valid for an hour.',
      content: jsonContent(tokenEndpoint.output, {
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

const allNotes: Readonly<Record<string, RouteNotes>> = { ...couponRouteNotes, ...userRouteNotes };

/** An operation of the catalogue, with the assumed variants. */
function documented(operation: Operation): DocumentedOperation {
  const { name, title, description, resource, method, path, scopes, section, input } = operation;
  const notes = allNotes[name] ?? {};
  const hasBody = method === 'POST' && operation.body !== 'none';
  const takesFields = formFields(operation).some((field) => field.in !== 'path');
  return {
    id: name,
    title,
    description,
    tag: resource.plural,
    method,
    path,
    security: scopes,
    input,
    body: hasBody ? 'required' : undefined,
    successes: {
      [operation.successStatus]: { description, content: contentOf(operation, notes) },
    },
    problems: {
      ...((takesFields || hasBody) && { 400: invalid }),
      401: 'The bearer token is missing, unknown or expired.',
      403: 'The access lacks the scope; `detail` names it.',
      ...(path.includes('{') && { 404: 'It does not exist, or this access cannot see it.' }),
      ...(hasBody && { 415: noJson }),
      429: tooMany,
      ...notes.problems,
    },
    more: { 'x-section': section },
  };
}

const lastPage = { cursor: null, has_more: false, total_count: 1 };

function contentOf({ responseShape, output, sample }: Operation, notes: RouteNotes) {
  if (notes.isUnderData) return jsonContent(z.object({ data: output }), { data: sample });
  if (responseShape === 'record') return jsonContent(output, sample);
  const page = z.object({ data: z.array(output), pagination: paginationSchema });
  return jsonContent(page, { data: [sample], pagination: lastPage });
}

/** An event of the catalogue, with the assumed variants. */
function webhookObject({ name, title, description, sample }: EventKind) {
  return {
    post: {
      operationId: name,
      summary: title,
      description,
      tags: ['Events'],
      'x-section': '6',
      security: [],
      parameters: [
        {
          name: 'X-Service-Signature',
          in: 'header' as const,
          required: true,
          description:
            'Unix timestamp in seconds, and the HMAC-SHA256 of the timestamp, a dot, and the raw body, in hex.',
          schema: { type: 'string' as const, pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
        },
      ],
      requestBody: {
        required: true,
        content: jsonContent(
          z.object({
            id: z.string().describe('Stays the same across retries.'),
            type: z.literal(name),
            created_at: z.string().meta({ format: 'date-time' }),
            data: z.looseObject({}),
          }),
          {
            id: 'evt_5e0c4f0e-4a53-4cc1-93a1-0d6f0f1fd1a1',
            type: name,
            created_at: '2027-03-02T14:05:00.000Z',
            data: sample,
          },
        ),
      },
      responses: {
        '2XX': { description: 'Received. Any other status is a failure and is retried.' },
        '4XX': { description: 'Failed: retried after 1 s, 5 s, 30 s, 2 min and 10 min.' },
      },
    },
  };
}
