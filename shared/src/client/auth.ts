import { ConfigurationError } from '../errors/error-classes.ts';
import { refuseUnknown } from '../errors/refuse-unknown.ts';
import { isRecord } from '../json.ts';
import { refused, trimmed } from './options.ts';

/** Every API key starts with this (section 5). */
const keyPrefix = 'svc_';
const whence = 'Paste the one the Screen Advertising team gave you.';
const printable = /^[\x21-\x7e]+$/;

/** Whether a header can carry the token. Other characters would break the request or add to it. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && printable.test(value);
}

/** The result of `apiKey`. */
export interface ApiKeyAuth {
  /** Which kind of credentials these are. */
  readonly kind: 'api-key';
  /** The key, `svc_…`. It is a secret. */
  readonly key: string;
}

/** What `clientCredentials` takes. */
interface ClientCredentials {
  /** Public name of the access. */
  readonly clientId: string;
  /** Password of the access. It is a secret. */
  readonly clientSecret: string;
  /** Keeps the token beyond the process. Default: memory alone. */
  readonly store?: TokenStore;
  /** Called with what the store fails with. Default: that is ignored. */
  readonly onStoreError?: (error: unknown) => void;
}

const credentialNames: readonly (keyof ClientCredentials)[] = [
  'clientId',
  'clientSecret',
  'store',
  'onStoreError',
];

/** The result of `clientCredentials`. */
export interface ClientCredentialsAuth extends ClientCredentials {
  /** Which kind of credentials these are. */
  readonly kind: 'client-credentials';
}

/** The transport adds the bearer token itself and renews it. */
export interface PlatformAuth {
  /** Which kind of credentials these are. */
  readonly kind: 'platform';
  /** Identifies the access. It is not a secret. */
  readonly accessKey: string;
  /** Reads the credentials that no error may show. */
  readonly secrets?: PlatformSecrets;
}

/** The credentials that the transport sends at the moment, to be redacted from an error. */
export type PlatformSecrets = () => readonly string[] | Promise<readonly string[]>;

/** A connector key of the relay, split into its parts. */
export interface ConnectorKeyAuth {
  readonly kind: 'connector-key';
  /** The token part of the key. */
  readonly key: string;
  /** Everything else that no error may show. */
  readonly secrets: readonly string[];
}

/** Credentials of an access, as `apiKey` and `clientCredentials` return them. */
export type Auth = ApiKeyAuth | ClientCredentialsAuth | PlatformAuth;

/** An access token as a `TokenStore` keeps it. It is a secret. */
export interface StoredToken {
  /** What the header `authorization` carries. */
  readonly accessToken: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly expiresAt: number;
  /** The scopes that the service granted, in its own words. */
  readonly scope?: string | undefined;
}

/**
 * Keeps tokens beyond the process, or shares them between processes. When it fails, the client
 * continues without it.
 */
export interface TokenStore {
  /** `key` names the base URL and the client ID, and holds no secret. */
  get(key: string): Promise<StoredToken | undefined>;
  /** Keeps the token under this key, over an older one. */
  set(key: string, token: StoredToken): Promise<void>;
}

/**
 * Checks credentials when a client is created: a copy has lost the secret, and its requests would
 * carry none. Throws ConfigurationError.
 */
export function checkedAuth(auth: Auth): Auth {
  const { kind, ...rest } = isRecord(auth) ? auth : ({} as Auth);
  if (kind === 'platform') return auth;
  if (kind !== 'api-key' && kind !== 'client-credentials') {
    throw refused('auth', 'be the result of apiKey or clientCredentials');
  }
  // Not among the members that a copy has.
  const { key, clientSecret } = auth as Partial<ApiKeyAuth & ClientCredentialsAuth>;
  if ((kind === 'api-key' ? key : clientSecret) === undefined) {
    throw new ConfigurationError(
      'auth',
      'auth is a copy without its secret, as { ...auth } and structuredClone make it',
      'Pass the result of apiKey or clientCredentials itself.',
    );
  }
  if (key !== undefined) return apiKey(key);
  return clientCredentials({ ...(rest as ClientCredentials), clientSecret: clientSecret ?? '' });
}

/** Checks an API key and returns it trimmed. Throws ConfigurationError. */
export function parseApiKey(text: string): string {
  const key = trimmed(text);
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
    clientId: part('clientId', 'client ID', credentials.clientId),
    clientSecret: part('clientSecret', 'client secret', credentials.clientSecret),
    ...(store && { store }),
    ...(onStoreError && { onStoreError }),
  };
  return hidden(auth, 'clientSecret');
}

/** Keeps a secret out of what is printed. */
function hidden<Kind extends Auth>(auth: Kind, secret: keyof Kind): Kind {
  return Object.defineProperty(auth, secret, { enumerable: false });
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

/** For platforms whose own request helper authenticates. `accessKey` identifies the access. */
export function platformAuth(accessKey: string, secrets?: PlatformSecrets): PlatformAuth {
  return { kind: 'platform', accessKey, ...(secrets && { secrets }) };
}
