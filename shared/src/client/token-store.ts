/** What a client ID and secret need to get tokens. */
export interface ClientCredentials {
  /** Public name of the access. */
  readonly clientId: string;
  /** Password of the access. It is a secret. */
  readonly clientSecret: string;
  /** Keeps the token beyond the process. Default: memory alone. */
  readonly store?: TokenStore;
  /** Called with what the store fails with. Default: that is ignored. */
  readonly onStoreError?: (error: unknown) => void;
}

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

const printable = /^[\x21-\x7e]+$/;

/** Whether a header can carry the token. Other characters would break the request or add to it. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && printable.test(value);
}
