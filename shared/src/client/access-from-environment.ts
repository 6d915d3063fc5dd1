import { ConfigurationError } from '../errors/error-classes.ts';
import { type ApiKeyAuth, apiKey, type ClientCredentialsAuth } from './auth.ts';
import { clientCredentials } from './client-credentials.ts';
import { readRateLimit } from './options.ts';

/** Variables that hold the access, the key of its leads' coupons, and its requests per minute. As arguments, they would show in lists of processes. */
export const accessVariables = {
  baseUrl: 'SCREEN_ADVERTISING_BASE_URL',
  apiKey: 'SCREEN_ADVERTISING_API_KEY',
  clientId: 'SCREEN_ADVERTISING_CLIENT_ID',
  clientSecret: 'SCREEN_ADVERTISING_CLIENT_SECRET',
  couponKey: 'SCREEN_ADVERTISING_COUPON_KEY',
  rateLimit: 'SCREEN_ADVERTISING_RATE_LIMIT',
} as const;

interface Access {
  readonly baseUrl: string;
  readonly auth: ApiKeyAuth | ClientCredentialsAuth;
  readonly rateLimit: { readonly requests: number };
}

/** Reads the access from the environment. Throws ConfigurationError that names the variable. */
export function readAccess(env: Readonly<Record<string, string | undefined>>): Access {
  const baseUrl = env[accessVariables.baseUrl];
  if (!baseUrl)
    throw missing(`Set ${accessVariables.baseUrl} to the address that ends in /api/v1.`);
  const requests = readRateLimit(env[accessVariables.rateLimit], accessVariables.rateLimit);
  const access = { baseUrl, rateLimit: { requests } };
  const [key, clientId, clientSecret] = [
    env[accessVariables.apiKey],
    env[accessVariables.clientId],
    env[accessVariables.clientSecret],
  ];
  if (key && (clientId || clientSecret)) {
    throw missing(
      `Set either ${accessVariables.apiKey}, or a client ID and a client secret, not both.`,
    );
  }
  if (key) return { ...access, auth: apiKey(key) };
  if (!clientId || !clientSecret) {
    throw missing(
      `Set ${accessVariables.apiKey}, or ${accessVariables.clientId} and ${accessVariables.clientSecret}.`,
    );
  }
  return { ...access, auth: clientCredentials({ clientId, clientSecret }) };
}

function missing(message: string): ConfigurationError {
  return new ConfigurationError('environment', message);
}
