import { wrongArgument } from './refusal.ts';

/** Throws WebhookVerificationError (`invalid_argument`); no message quotes a secret. */
export function checkSecrets(secrets: unknown): asserts secrets is readonly string[] {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw wrongArgument('secrets must be a list with at least one signing secret.');
  }
  for (const secret of secrets) checkSecret(secret, 'Each of secrets');
}

export function checkSecret(secret: unknown, name: string): asserts secret is string {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw wrongArgument(`${name} must be a signing secret as text, and not empty.`);
  }
}

export function hasOuterWhiteSpace(secret: string): boolean {
  return secret.trim() !== secret;
}
