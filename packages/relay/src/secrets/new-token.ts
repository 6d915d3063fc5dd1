import { createHash, randomBytes } from 'node:crypto';

/** What is shown once when a token is made. */
export interface NewToken {
  readonly token: string;
  readonly signingSecret: string;
  /** Both in one value, to paste into a connector. */
  readonly connectorKey: string;
}

export function makeToken(): NewToken {
  const token = `rly_${randomBytes(32).toString('base64url')}`;
  // The form that Standard Webhooks gives a secret.
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  return { token, signingSecret, connectorKey: `${token}.${signingSecret}` };
}

/** Tokens are long and random, so a fast hash hides them. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
