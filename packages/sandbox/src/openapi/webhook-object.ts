import type { EventKind } from '@screen-advertising/core/contract';
import { type JsonSchema, json } from '@screen-advertising/server-kit';

/** An event of the catalogue in OpenAPI's format, with the assumed variants. */
export function webhookObject({ name, title, description, sample }: EventKind): JsonSchema {
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
          in: 'header',
          required: true,
          description:
            'Unix timestamp in seconds, and the HMAC-SHA256 of the timestamp, a dot, and the raw body, in hex.',
          schema: { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
        },
      ],
      requestBody: {
        required: true,
        content: json(
          {
            type: 'object',
            required: ['id', 'type', 'created_at', 'data'],
            properties: {
              id: { type: 'string', description: 'Stays the same across retries.' },
              type: { const: name },
              created_at: { type: 'string', format: 'date-time' },
              data: { type: 'object' },
            },
          },
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
