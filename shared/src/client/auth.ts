import { ConfigurationError } from '../errors/configuration-error.ts';
import { trimmed } from './settings.ts';

/** Every API key starts with it (section 5). */
const keyPrefix = 'svc_';
const whence = 'Paste the one the Screen Advertising team gave you.';
const printable = /^[\x21-\x7e]+$/;

/** Whether a header can carry it: anything else would break the request or add to it. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && printable.test(value);
}

/** What `apiKey` makes. */
export interface ApiKeyAuth {
  readonly kind: 'api-key';
  readonly key: string;
}

/** What `clientCredentials` makes. */
export interface ClientCredentialsAuth {
  readonly kind: 'client-credentials';
  readonly clientId: string;
  readonly clientSecret: string;
  readonly store?: TokenStore;
}

/** The transport adds the bearer token itself and renews it. */
export interface PlatformAuth {
  readonly kind: 'platform';
  readonly accessKey: string;
  readonly secrets?: PlatformSecrets;
}

/** What the transport sends as credentials now: asked for to take it out of an error. */
export type PlatformSecrets = () => readonly string[] | Promise<readonly string[]>;

/** A connector key of the relay, taken apart. */
export interface ConnectorKeyAuth {
  readonly kind: 'connector-key';
  /** The token in it. */
  readonly key: string;
  /** What no error may show besides the token. */
  readonly secrets: readonly string[];
}

/** Credentials of an access, as `apiKey` and `clientCredentials` make them. */
export type Auth = ApiKeyAuth | ClientCredentialsAuth | PlatformAuth;

/** An access token as a `TokenStore` keeps it. It is a secret. */
export interface StoredToken {
  readonly accessToken: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly expiresAt: number;
}

/** Where a token outlives the process or is shared by several. What it rejects with, calls reject with. */
export interface TokenStore {
  /** `key` names base URL and client ID and holds no secret. */
  get(key: string): Promise<StoredToken | undefined>;
  set(key: string, token: StoredToken): Promise<void>;
}

/** Checks an API key and returns it without white space around it. Throws ConfigurationError. */
export function parseApiKey(text: string): string {
  const key = trimmed(text);
  if (!key) {
    throw new ConfigurationError('apiKey', `The API key is missing. ${whence}`);
  }
  if (!key.startsWith(keyPrefix)) {
    throw new ConfigurationError(
      'apiKey',
      `The API key must start with ${keyPrefix}. If you have a client ID and a client secret, use client credentials instead.`,
    );
  }
  if (key === keyPrefix || !isBearerToken(key)) {
    throw new ConfigurationError(
      'apiKey',
      'The API key is incomplete or contains invalid characters. Copy the whole key again.',
    );
  }
  return key;
}

/** The credentials of an access with an API key, `svc_…`. Throws ConfigurationError. */
export function apiKey(key: string): ApiKeyAuth {
  return { kind: 'api-key', key: parseApiKey(key) };
}

/** Tokens are fetched with a client ID and secret and reused for their whole hour (section 5). */
export function clientCredentials(credentials: {
  clientId: string;
  clientSecret: string;
  store?: TokenStore;
}): ClientCredentialsAuth {
  const { store } = credentials;
  return {
    kind: 'client-credentials',
    clientId: part('clientId', 'client ID', credentials.clientId),
    clientSecret: part('clientSecret', 'client secret', credentials.clientSecret),
    ...(store && { store }),
  };
}

function part(field: string, label: string, text: string): string {
  const value = trimmed(text);
  if (!value) throw new ConfigurationError(field, `The ${label} is missing. ${whence}`);
  if (value.startsWith(keyPrefix)) {
    throw new ConfigurationError(
      field,
      `The ${label} must not start with ${keyPrefix}. If you have an API key, use it alone, without a client ID.`,
    );
  }
  return value;
}

/** For platforms whose own request helper authenticates. `accessKey` tells accesses apart. */
export function platformAuth(accessKey: string, secrets?: PlatformSecrets): PlatformAuth {
  return { kind: 'platform', accessKey, ...(secrets && { secrets }) };
}
