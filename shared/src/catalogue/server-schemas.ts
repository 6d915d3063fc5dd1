import * as z from 'zod/mini';
import { tokenEndpointWithoutSchemas } from './operation.ts';

// Schemas that a server needs. A client need not carry them.

/** The position of a page in its list (section 2.3). */
export const paginationSchema = z.looseObject({
  cursor: z.nullish(z.string()),
  has_more: z.nullish(z.boolean()),
  total_count: z.nullish(z.number()),
});

/** The token endpoint with its schemas. */
export const tokenEndpoint = {
  ...tokenEndpointWithoutSchemas,
  input: z.strictObject({
    client_id: z
      .string()
      .check(z.minLength(1, 'must not be empty'), z.meta({ title: 'Client ID' })),
    client_secret: z
      .string()
      .check(z.minLength(1, 'must not be empty'), z.meta({ title: 'Client Secret' })),
  }),
  output: z
    .looseObject({
      access_token: z.string().check(z.minLength(1)),
      token_type: z.nullish(z.string()),
      expires_in: z.nullish(z.number().check(z.meta({ description: 'Seconds' }))),
      scope: z.nullish(z.string()),
    })
    .check(z.meta({ title: 'Token' })),
} as const;
