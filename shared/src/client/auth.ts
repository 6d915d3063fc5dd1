import { refuseUnknownOptions } from '#habits';
import type { Clock } from '../clock.ts';
import { ConfigurationError } from '../errors/error-classes.ts';
import { isRecord } from '../json.ts';
import { invalidOptionError, readRateLimit, trimmedText } from './options.ts';
import { type ClientCredentials, isBearerToken, TokenSource } from './tokens.ts';

/** Every API key starts with this (section 5). */
const keyPrefix = 'svc_';
const whence = 'Paste the one the Screen Advertising team gave you.';

/** The result of `apiKey`. */
export interface ApiKeyAuth {
  /** Which kind of credentials these are. */
  readonly kind: 'api-key';
  /** The key, `svc_…`. It is a secret. */
  readonly key: string;
}

/** The result of `clientCredentials`. */
export interface ClientCredentialsAuth extends ClientCredentials {
  /** Which kind of credentials these are. */
  readonly kind: 'client-credentials';
  /** Creates what gets its tokens. Clients with an API key need not bundle it. */
  readonly createTokenSource: (baseUrl: string, clock: Clock) => TokenSource;
}

/** The transport adds the bearer token itself and renews it. */
export interface PlatformAuth {
  /** Which kind of credentials these are. */
  readonly kind: 'platform';
  /** Identifies the access. It is not a secret. */
  readonly accessKey: string;
  /** The credentials with which it has sent requests, to be redacted from errors. */
  readonly secrets?: () => readonly string[];
}

/** A bearer token that does not expire, such as the one in the connector key of a relay. */
export interface FixedTokenAuth {
  readonly kind: 'token';
  /** The token. */
  readonly key: string;
  /** Everything else that no error may show. */
  readonly secrets: readonly string[];
}

/** Credentials of an access, as `apiKey` and `clientCredentials` return them. */
export type Auth = ApiKeyAuth | ClientCredentialsAuth | PlatformAuth;

/**
 * Checks credentials when a client is created: a copy has lost the secret, and its requests would
 * carry none. Throws ConfigurationError.
 */
export function checkAuth(auth: Auth): Auth {
  const kind = isRecord(auth) && auth.kind;
  if (kind === 'platform') return auth;
  if (kind !== 'api-key' && kind !== 'client-credentials') {
    throw invalidOptionError('auth', 'be the result of apiKey or clientCredentials');
  }
  // Not among the members that a copy has.
  const { key, createTokenSource } = auth as Partial<ApiKeyAuth & ClientCredentialsAuth>;
  if ((kind === 'api-key' ? key : createTokenSource) === undefined) {
    throw new ConfigurationError(
      'auth',
      'auth is a copy without its secret',
      'Pass the result of apiKey or clientCredentials itself.',
    );
  }
  return key === undefined ? auth : apiKey(key);
}

/** The key of a text that may be the whole value of a header, such as `Bearer svc_…`. */
export function apiKeyWithoutBearer(text: unknown): string {
  return trimmedText(text).replace(/^bearer\s+/i, '');
}

/** Checks an API key and returns it bare. Throws ConfigurationError. */
export function parseApiKey(text: string): string {
  const key = apiKeyWithoutBearer(text);
  if (!key) {
    throw new ConfigurationError('apiKey', 'The API key is missing', whence);
  }
  if (!key.startsWith(keyPrefix)) {
    const remedy = key.startsWith('rly_')
      ? 'Use a key that starts with rly_ in the credential of the relay.'
      : 'If you have a client ID and a client secret, use client credentials instead.';
    throw new ConfigurationError('apiKey', `The API key must start with ${keyPrefix}`, remedy);
  }
  if (key === keyPrefix || !isBearerToken(key)) {
    throw new ConfigurationError(
      'apiKey',
      'The API key is incomplete or contains invalid characters',
      'Copy the whole key again.',
    );
  }
  return key;
}

/** The credentials of an access with an API key, `svc_…`. Throws ConfigurationError. */
export function apiKey(key: string): ApiKeyAuth {
  return hidden({ kind: 'api-key', key: parseApiKey(key) }, 'key');
}

/** Keeps members out of what is printed and copied. */
function hidden<Kind extends Auth>(auth: Kind, ...names: readonly (keyof Kind)[]): Kind {
  for (const name of names) Object.defineProperty(auth, name, { enumerable: false });
  return auth;
}

/**
 * For platforms whose own request helper authenticates. `accessKey` identifies the access. `secrets`
 * is asked when a response is an error, and must not wait: its text is needed at once.
 */
export function platformAuth(accessKey: string, secrets?: PlatformAuth['secrets']): PlatformAuth {
  return { kind: 'platform', accessKey, ...(secrets && { secrets }) };
}

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
  refuseUnknownOptions(credentials, 'clientCredentials', credentialNames);
  const { store, onStoreError } = credentials;
  if (store && !(typeof store.get === 'function' && typeof store.set === 'function')) {
    throw invalidOptionError('store', 'have the functions get and set');
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
  const value = trimmedText(text);
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
