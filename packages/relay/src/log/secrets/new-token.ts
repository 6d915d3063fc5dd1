import { createHash, randomBytes } from 'node:crypto';

/** What is shown once when a token is created. */
export interface NewToken {
  readonly token: string;
  readonly signingSecret: string;
  /** Token and secret in one value, to paste into a connector. */
  readonly connectorKey: string;
}

export function makeToken(): NewToken {
  const token = `rly_${randomBytes(32).toString('base64url')}`;
  const signingSecret = makeSigningSecret();
  return { token, signingSecret, connectorKey: `${token}.${signingSecret}` };
}

/** In the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Tokens are long and random, so a fast hash is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
