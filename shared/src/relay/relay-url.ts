import { normalizeBaseUrl } from '../client/base-url.ts';
import { trimmed } from '../client/settings.ts';

/** Paths that people copy by mistake: of the ingress address, or of the operator's page. */
const otherPath = /(?<!\/)\/(?:in\/[\w.~%-]+|operator(?:\/[\w./-]*)?)\/?(?:[?#].*)?$/;

/**
 * Checks and fixes the base URL of a relay by the rules of `createClient`. Also accepts the ingress
 * address and the addresses of the operator's page. Throws ConfigurationError.
 */
export function parseRelayUrl(text: string): string {
  return normalizeBaseUrl(trimmed(text).replace(otherPath, ''), {
    says: (words) => `The base URL of the relay ${words}.`,
    example: 'https://relay.example',
    secret:
      'your connector key; http works only for a relay on this machine or in a private network',
  });
}
