import { addressText, normalizeBaseUrl, type TextOrUrl } from '../client/base-url.ts';
import { trimmedText } from '../client/options.ts';
import { ConfigurationError } from '../errors/error-classes.ts';

/** The two parts of a connector key. Both are secrets. */
export interface ConnectorKey {
  /** Authenticates at the relay, `rly_…`. */
  readonly token: string;
  /** The relay signs deliveries with it, `whsec_…`: pass it to `verifyWebhook` as it is. */
  readonly signingSecret: string;
}

/** Neither part is ever shorter, so a key copied without its end is detected. */
const whole = /^(rly_[\w-]{43,})\.(whsec_(?=(?:.{4})+$)[A-Za-z\d+/]{42,}={0,2})$/;

const copy = 'Copy the whole connector key again: the relay shows it once, when you create it';

/**
 * Splits a connector key, as the relay shows it, into its parts. White space around it is ignored.
 * Throws ConfigurationError (`connectorKey`), which never shows the key.
 */
export function parseConnectorKey(key: string): ConnectorKey {
  const text = trimmedText(key);
  if (!text) throw refused(`is missing. ${copy}.`);
  const [, token, signingSecret] = whole.exec(text) ?? [];
  if (token !== undefined && signingSecret !== undefined) return { token, signingSecret };
  if (text.startsWith('svc_')) {
    throw refused(
      'must not be an API key of the service. Paste the key that the relay shows, which starts with rly_.',
    );
  }
  if (text.startsWith('whsec_')) {
    throw refused(`has only the signing secret. ${copy}.`);
  }
  if (!text.startsWith('rly_')) throw refused(`must start with rly_. ${copy}.`);
  if (!text.includes('.')) throw refused(`has only the token. ${copy}.`);
  throw refused(`is incomplete or contains invalid characters. ${copy}.`);
}

function refused(why: string): ConfigurationError {
  return new ConfigurationError('connectorKey', `The connector key ${why}`);
}

/** Paths that people copy by mistake: of the ingress address, or of the operator's page. */
const otherPath = /(?<!\/)\/(?:in\/[\w.~%-]+|operator(?:\/[\w./-]*)?)\/?(?:[?#].*)?$/;

/**
 * Checks and fixes the base URL of a relay by the rules of `createClient`. Also accepts the ingress
 * address and the addresses of the operator's page. Throws ConfigurationError.
 */
export function parseRelayUrl(address: TextOrUrl): string {
  return normalizeBaseUrl(addressText(address).replace(otherPath, ''), {
    says: (words) => `The base URL of the relay ${words}`,
    example: 'https://relay.example',
    secret:
      'your connector key; http works only for a relay on this machine or in a private network',
  });
}

/** A relay, and the key to it. */
export interface RelayAddress {
  /** Such as `https://relay.example`; http is allowed on this machine and in a private network. */
  readonly baseUrl: TextOrUrl;
  /** As the relay shows it once: `rly_….whsec_…`. */
  readonly connectorKey: string;
}

/** The environment variables of a relay and its key. The key must not be in an argument. */
export const relayVariables = {
  /** Holds the address of the relay. */
  baseUrl: 'SCREEN_ADVERTISING_RELAY_URL',
  /** Holds the connector key. */
  connectorKey: 'SCREEN_ADVERTISING_CONNECTOR_KEY',
} as const;

/**
 * Reads the relay from the environment; undefined when neither variable is set. Throws
 * ConfigurationError that names the variables when only one of them is set.
 */
export function readRelayAccess(
  env: Readonly<Record<string, string | undefined>>,
): RelayAddress | undefined {
  const baseUrl = env[relayVariables.baseUrl];
  const connectorKey = env[relayVariables.connectorKey];
  if (!baseUrl && !connectorKey) return undefined;
  if (baseUrl && connectorKey) return { baseUrl, connectorKey };
  const names = Object.values(relayVariables).join(' and ');
  throw new ConfigurationError('environment', `Set both ${names}, or neither.`);
}
