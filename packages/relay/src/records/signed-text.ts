import type { SignatureOfSource } from '../database/stored-values.ts';

/** How the service signs the deliveries of a source, for people; undefined before the first one. */
export function signedText(scheme: SignatureOfSource | null): string | undefined {
  if (scheme === null) return undefined;
  const { algorithm, signed_content, key } = scheme;
  const secret = key === 'text' ? 'the secret' : `the secret (${key})`;
  return `HMAC-${algorithm.toUpperCase().replace('SHA', 'SHA-')} of ${signed_content.replace('\n', '\\n')} with ${secret}`;
}

/** Undefined when the signature covers its time, as nearly always. */
export function onlyDefense(scheme: SignatureOfSource | null): string | undefined {
  if (scheme === null || scheme.signed_content.includes('{t}')) return undefined;
  return 'The signature covers only the body, so a recorded delivery can be sent again: that duplicates are dropped is the only defense.';
}
