import { trimmed } from '../client/settings.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';

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
  const text = trimmed(key);
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
