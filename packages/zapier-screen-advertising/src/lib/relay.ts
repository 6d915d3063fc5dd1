import { ConfigurationError, ScreenAdvertisingError } from '@screen-advertising/core';
import {
  createRelayClient,
  parseConnectorKey,
  type RelayClient,
} from '@screen-advertising/core/relay';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { type AuthData, readRelay } from './connection.ts';
import { deadlineMs, readRetry } from './limits.ts';
import { zapierTransport } from './transport.ts';

/** The relay of a connection, where it has one. Throws ConfigurationError. */
export function relayOf(z: ZObject, { authData }: Bundle): RelayClient | undefined {
  const relay = readRelay(authData);
  return (
    relay &&
    createRelayClient({
      ...relay,
      // Another session brings no other connector key.
      transport: zapierTransport(z, { canRenewToken: false }),
      timeoutMs: deadlineMs,
      retry: readRetry,
    })
  );
}

/** The relay of a connection. Throws ConfigurationError where it has none. */
export function relayFor(z: ZObject, bundle: Bundle): RelayClient {
  return relayOf(z, bundle) ?? missing();
}

/** What the relay signs deliveries with. Throws ConfigurationError. */
export function signingSecretOf(authData: AuthData): string {
  const { connectorKey } = readRelay(authData) ?? missing();
  return parseConnectorKey(connectorKey).signingSecret;
}

function missing(): never {
  throw new ConfigurationError(
    'relay_base_url',
    'This trigger needs a relay: fill in Relay Base URL and Connector Key in the connection.',
  );
}

/** Whether the relay does not know the connector key, or no longer. */
export function isKeyRefused(error: unknown): boolean {
  return ScreenAdvertisingError.isInstance(error) && error.code === 'authentication_failed';
}
