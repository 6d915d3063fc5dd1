import { type Auth, apiKey, ConfigurationError, clientCredentials } from '@screen-advertising/core';

/** Where the command line finds what no argument may hold: arguments show in lists of processes. */
export const variables = {
  baseUrl: 'SCREEN_ADVERTISING_BASE_URL',
  apiKey: 'SCREEN_ADVERTISING_API_KEY',
  clientId: 'SCREEN_ADVERTISING_CLIENT_ID',
  clientSecret: 'SCREEN_ADVERTISING_CLIENT_SECRET',
} as const;

interface Access {
  readonly baseUrl: string;
  readonly auth: Auth;
}

/** Reads the access from the environment. Throws ConfigurationError that names the variable. */
export function readAccess(env: Readonly<Record<string, string | undefined>>): Access {
  const baseUrl = env[variables.baseUrl];
  if (!baseUrl) throw missing(`Set ${variables.baseUrl} to the address that ends in /api/v1.`);
  const [key, clientId, clientSecret] = [
    env[variables.apiKey],
    env[variables.clientId],
    env[variables.clientSecret],
  ];
  if (key && (clientId || clientSecret)) {
    throw missing(`Set either ${variables.apiKey}, or a client ID and a client secret, not both.`);
  }
  if (key) return { baseUrl, auth: apiKey(key) };
  if (!clientId || !clientSecret) {
    throw missing(
      `Set ${variables.apiKey}, or ${variables.clientId} and ${variables.clientSecret}.`,
    );
  }
  return { baseUrl, auth: clientCredentials({ clientId, clientSecret }) };
}

function missing(message: string): ConfigurationError {
  return new ConfigurationError('environment', message);
}
