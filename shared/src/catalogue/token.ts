/**
 * The token endpoint (sections 2.8, 4.1 and 5). It is the only request without a bearer token, so
 * users do not run it as an operation. Limit: 10 requests per minute per IP.
 */
export const bareTokenEndpoint = {
  section: '4.1',
  method: 'POST',
  path: '/oauth/token',
  successStatus: 200,
  /** Lifetime of a token, in seconds, when the response does not state it. */
  lifetimeSeconds: 3600,
  requestsPerMinute: 10,
} as const;
