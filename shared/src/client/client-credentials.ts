import { ConfigurationError } from '../errors/error-classes.ts';
import { refuseUnknown } from '../errors/refuse-unknown.ts';
import { type ClientCredentialsAuth, hidden, keyPrefix, whence } from './auth.ts';
import { refused, trimmed } from './options.ts';
import { TokenSource } from './token-source.ts';
import type { ClientCredentials } from './token-store.ts';

const credentialNames: readonly (keyof ClientCredentials)[] = [
  'clientId',
  'clientSecret',
  'store',
  'onStoreError',
];

/**
 * The credentials of an access with a client ID and secret. A token is fetched once and reused for
 * its whole hour (section 5). `onStoreError` gets what the store fails with; by default, that is
 * ignored. Throws ConfigurationError.
 */
export function clientCredentials(credentials: ClientCredentials): ClientCredentialsAuth {
  refuseUnknown(credentials, 'clientCredentials', credentialNames);
  const { store, onStoreError } = credentials;
  if (store && !(typeof store.get === 'function' && typeof store.set === 'function')) {
    throw refused('store', 'have the functions get and set');
  }
  const auth: ClientCredentialsAuth = {
    kind: 'client-credentials',
    ...parseClientCredentials(credentials),
    ...(store && { store }),
    ...(onStoreError && { onStoreError }),
    createTokenSource: (baseUrl, clock) => new TokenSource(auth, baseUrl, clock),
  };
  return hidden(auth, 'clientSecret', 'createTokenSource');
}

/**
 * Checks a client ID and secret and returns them bare, for platforms that keep tokens themselves.
 * Throws ConfigurationError.
 */
export function parseClientCredentials({ clientId, clientSecret }: ClientCredentials) {
  return {
    clientId: part('clientId', 'client ID', clientId),
    clientSecret: part('clientSecret', 'client secret', clientSecret),
  };
}

function part(field: string, label: string, text: string): string {
  const value = trimmed(text);
  if (!value) throw new ConfigurationError(field, `The ${label} is missing`, whence);
  if (value.startsWith(keyPrefix)) {
    throw new ConfigurationError(
      field,
      `The ${label} must not start with ${keyPrefix}`,
      'If you have an API key, use it alone, without a client ID.',
    );
  }
  return value;
}
