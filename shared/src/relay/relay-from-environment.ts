import { ConfigurationError } from '../errors/configuration-error.ts';
import type { RelayClientOptions } from './relay-client.ts';

/** The environment variables of a relay and its key. The key must not be in an argument. */
export const relayVariables = {
  baseUrl: 'SCREEN_ADVERTISING_RELAY_URL',
  connectorKey: 'SCREEN_ADVERTISING_CONNECTOR_KEY',
} as const;

/**
 * Reads the relay from the environment; undefined when neither variable is set. Throws
 * ConfigurationError that names the variables when only one of them is set.
 */
export function readRelayAccess(
  env: Readonly<Record<string, string | undefined>>,
): Pick<RelayClientOptions, 'baseUrl' | 'connectorKey'> | undefined {
  const baseUrl = env[relayVariables.baseUrl];
  const connectorKey = env[relayVariables.connectorKey];
  if (!baseUrl && !connectorKey) return undefined;
  if (baseUrl && connectorKey) return { baseUrl, connectorKey };
  const names = Object.values(relayVariables).join(' and ');
  throw new ConfigurationError('environment', `Set both ${names}, or neither.`);
}
