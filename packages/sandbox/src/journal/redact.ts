import type { Accesses } from '../accesses/access.ts';
import { readBearer } from '../auth/authenticate.ts';
import type { JournalEntry } from './journal.ts';

const replacement = '[redacted]';

/** In JSON, even if it is cut off. A token request may have gone to a mistyped path. */
const clientSecretMember = /("client_secret"\s*:\s*)(?:"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[^\s",}\]]+)/g;
/** In a form or a query. */
const clientSecretField = /\b(client_secret=)[^&\s]+/g;

/**
 * Removes credentials from texts: those of the accesses, anything that looks like an API key, and
 * any field named as a client secret.
 */
export function redactor(accesses: Accesses): (text: string) => string {
  const secrets = accesses
    .flatMap(({ apiKey, clientSecret, signingSecret }) => [apiKey, clientSecret, signingSecret])
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const rest = secrets.reduce((left, secret) => left.replaceAll(secret, replacement), text);
    return rest
      .replaceAll(/\b(svc|sat)_[\w-]{8,}/g, replacement)
      .replaceAll(clientSecretMember, `$1"${replacement}"`)
      .replaceAll(clientSecretField, `$1${replacement}`);
  };
}

/** A token request. Only its client ID may be shown. */
export function redactTokenRequest(body: string): string {
  try {
    const { client_id } = JSON.parse(body) as Record<string, unknown>;
    return JSON.stringify({ client_id, client_secret: replacement });
  } catch {
    return replacement;
  }
}

export function kindOfAuthorization(headers: Headers): JournalEntry['authorization'] {
  if (!headers.has('authorization')) return 'none';
  const bearer = readBearer(headers);
  if (bearer === undefined) return 'other';
  return bearer.startsWith('svc_') ? 'api key' : 'access token';
}
