import { mendBaseUrl } from '../client/base-url.ts';
import { trimmed } from '../client/settings.ts';

/** Where a browser is, or what the service was given, when somebody copies an address of the relay. */
const otherPath = /(?<!\/)\/(?:in\/[\w.~%-]+|operator(?:\/[\w./-]*)?)\/?(?:[?#].*)?$/;

/**
 * Checks the base URL of a relay by the rules of `createClient`, and mends it in the same way; the
 * ingress address and the addresses of the operator's page do as well. Throws ConfigurationError.
 */
export function parseRelayUrl(text: string): string {
  return mendBaseUrl(trimmed(text).replace(otherPath, ''), {
    says: (words) => `The base URL of the relay ${words}.`,
    example: 'https://relay.example',
    secret:
      'your connector key; http works only for a relay on this machine or in a private network',
  });
}
