import {
  ConfigurationError,
  type ScreenAdvertisingError,
  WebhookVerificationError,
} from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { eventKey } from '@screen-advertising/core/webhooks';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { headerOf, verifiedDelivery } from './deliveries.ts';
import type { EventRecord } from './event-record.ts';
import { deadlineMs } from './limits.ts';
import { askRelay, endedKey, isKeyRefused, signingSecretOf } from './relay.ts';

/** Zapier has already responded to the relay, so an event of another kind is only left out. */
export async function receiveFromRelay(
  event: EventKind,
  z: ZObject,
  bundle: Bundle,
): Promise<EventRecord[]> {
  const headers = bundle.rawRequest?.headers;
  const delivery = await verified(event, z, bundle);
  // A test of a subscription without a stored event delivers a sample.
  const isMadeUp = headerOf(headers, 'x-relay-test') === 'sample';
  if (delivery.type !== event.name || isMadeUp) return [];
  // The relay's ID distinguishes two events with the same body.
  const id = headerOf(headers, 'webhook-id') ?? eventKey(delivery, delivery.body);
  return [{ id, type: delivery.type, data: delivery.data }];
}

async function verified(event: EventKind, z: ZObject, bundle: Bundle) {
  try {
    return verifiedDelivery(bundle, [signingSecretOf(event, bundle.authData)]);
  } catch (error) {
    throw isMismatch(error) ? ((await ownMistake(event, z, bundle)) ?? error) : error;
  }
}

function isMismatch(error: unknown): boolean {
  return error instanceof WebhookVerificationError && error.reason === 'signature_mismatch';
}

/**
 * A run that halts notifies no one, which is right for what strangers send. But if the relay
 * refuses the connector key, or if it knows the event, the relay signs with another key. Every
 * event is then lost until the owner learns about it.
 */
async function ownMistake(
  event: EventKind,
  z: ZObject,
  bundle: Bundle,
): Promise<ScreenAdvertisingError | undefined> {
  const id = headerOf(bundle.rawRequest?.headers, 'webhook-id');
  if (!id) return undefined;
  try {
    const stored = await askRelay(event, z, bundle, (relay) => relay.getEvent(id, { deadlineMs }));
    return stored && otherKey();
  } catch (error) {
    if (!isKeyRefused(error)) return undefined;
    return endedKey(', then replay the event on the page of the relay');
  }
}

function otherKey(): ConfigurationError {
  return new ConfigurationError(
    'connector_key',
    'The Zap subscribed with a different connector key than the one in the connection, so this delivery cannot be verified. Restore that key and replay the event on the page of the relay, or turn the Zap off and on to receive later events.',
  );
}
