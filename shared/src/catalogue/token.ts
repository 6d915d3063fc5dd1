import * as z from 'zod';

/**
 * The token endpoint (sections 2.8, 4.1 and 5): the one call without a bearer token, so it is
 * no operation that a user runs. Limit: 10 requests per minute per IP.
 */
export const tokenEndpoint = {
  section: '4.1',
  method: 'POST',
  path: '/oauth/token',
  successStatus: 200,
  /** Seconds a token lives when the answer does not say so. */
  lifetimeSeconds: 3600,
  requestsPerMinute: 10,
  input: z.strictObject({
    client_id: z.string().min(1, 'must not be empty').meta({ title: 'Client ID' }),
    client_secret: z.string().min(1, 'must not be empty').meta({ title: 'Client Secret' }),
  }),
  output: z
    .looseObject({
      access_token: z.string().min(1),
      token_type: z.string().nullish(),
      expires_in: z.number().nullish().meta({ description: 'Seconds' }),
      scope: z.string().nullish(),
    })
    .meta({ id: 'Token' }),
} as const;
