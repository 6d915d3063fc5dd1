import * as z from 'zod/mini';

/**
 * The token endpoint (sections 2.8, 4.1 and 5). It is the only request without a bearer token, so
 * users do not run it as an operation. Limit: 10 requests per minute per IP.
 */
export const tokenEndpoint = {
  section: '4.1',
  method: 'POST',
  path: '/oauth/token',
  successStatus: 200,
  /** Lifetime of a token, in seconds, when the response does not state it. */
  lifetimeSeconds: 3600,
  requestsPerMinute: 10,
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
