import { ConfigurationError, ScreenAdvertisingError } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { createRelayClient, type RelayClient } from '@screen-advertising/core/relay';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { readRelayAddress } from './connection.ts';
import { readRetryPolicy, runDeadlineMs } from './limits.ts';
import { zapierTransport } from './transport.ts';

/** The client for the relay of a connection, if it has one. Throws ConfigurationError. */
export function relayClientOfConnection(z: ZObject, { authData }: Bundle): RelayClient | undefined {
  const relay = readRelayAddress(authData);
  return (
    relay &&
    createRelayClient({
      ...relay,
      // Another session would not bring another connector key. Zapier's log knows the whole key
      // only, and would show its halves if the relay sent them back.
      transport: zapierTransport(z, { isSecret: true }),
      timeoutMs: runDeadlineMs,
      retry: readRetryPolicy,
    })
  );
}

/**
 * Sends a request to the relay of a connection. Its key worked when the connection was tested, so a
 * key that is refused now was rotated or revoked. Throws ConfigurationError if there is no relay.
 */
export async function withRelay<Result>(
  { title }: EventKind,
  z: ZObject,
  bundle: Bundle,
  request: (relay: RelayClient) => Promise<Result>,
): Promise<Result> {
  const relay = relayClientOfConnection(z, bundle) ?? throwMissingRelay(title);
  try {
    return await request(relay);
  } catch (error) {
    throw isKeyRejected(error) ? keyRevoked(error) : error;
  }
}

/** Throws ConfigurationError. */
export function throwMissingRelay(title: string): never {
  throw new ConfigurationError(
    'relay_base_url',
    `${title} needs a relay: fill in Relay Base URL and Connector Key in the connection.`,
  );
}

function keyRevoked({ said }: ScreenAdvertisingError): ScreenAdvertisingError {
  return new ScreenAdvertisingError(
    'authentication_failed',
    'The relay no longer accepts the connector key of this connection, because it was rotated or revoked',
    { said, remedy: 'Connect again with the new key.', status: 401 },
  );
}

/** Whether the relay does not know the connector key, or no longer does. */
function isKeyRejected(error: unknown): error is ScreenAdvertisingError {
  return ScreenAdvertisingError.isInstance(error) && error.code === 'authentication_failed';
}

/** Whether the relay may be right, and is only out of service. A host without an address is neither. */
export function isRelayDown(error: unknown): error is ScreenAdvertisingError {
  if (!ScreenAdvertisingError.isInstance(error) || !error.isRetryable) return false;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return code !== 'ENOTFOUND';
}
