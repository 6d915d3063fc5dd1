import {
  ConfigurationError,
  events,
  type ScreenAdvertisingError,
  WebhookVerificationError,
} from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { parseConnectorKey } from '@screen-advertising/core/relay';
import { eventKey } from '@screen-advertising/core/webhooks';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { readRelay } from '../lib/connection.ts';
import { withZapierErrors } from '../lib/errors.ts';
import {
  describeEvent,
  type EventRecord,
  headerOf,
  maxExamples,
  verifiedDelivery,
} from '../lib/event-delivery.ts';
import { deadlineMs } from '../lib/limits.ts';
import { isKeyRejected, keyRevoked, missingRelay, relayOf, withRelay } from '../lib/relay.ts';
import type { Step } from '../lib/step.ts';

/** The trigger of one event for connections with a relay. The Zap subscribes automatically. */
function throughRelay(event: EventKind) {
  const { key, noun, hook } = describeEvent(event);
  const { title: label, description } = event;
  const step: Step = { label, scopes: [], fields: [] };
  return {
    key: `${key}_through_relay`,
    noun,
    display: { label, description },
    operation: {
      ...hook,
      performSubscribe: withZapierErrors((z, bundle) => subscribe(event, z, bundle), step),
      performUnsubscribe: withZapierErrors(unsubscribe, step),
      performList: withZapierErrors((z, bundle) => recentEvents(event, z, bundle), step),
      perform: withZapierErrors((z, bundle) => receive(event, z, bundle), step),
    },
  } satisfies Trigger;
}

async function subscribe(event: EventKind, z: ZObject, bundle: Bundle): Promise<{ id: string }> {
  const subscription = {
    targetUrl: bundle.targetUrl ?? '',
    events: [event.name],
    name: `Zapier: ${event.title}`,
  };
  const { id } = await withRelay(event, z, bundle, (relay) =>
    relay.subscribe(subscription, { deadlineMs }),
  );
  return { id };
}

/**
 * A Zap can be turned off whatever happened to its relay and its connector key: Zapier responds to
 * the next delivery with 410, and the relay switches the subscription off.
 */
async function unsubscribe(z: ZObject, bundle: Bundle): Promise<Record<string, never>> {
  const id = bundle.subscribeData?.id;
  try {
    if (id) await relayOf(z, bundle)?.unsubscribe(id, { deadlineMs });
  } catch (error) {
    if (!isKeyRejected(error)) throw error;
  }
  return {};
}

/** In the shape of their deliveries, and with the same IDs. */
async function recentEvents(event: EventKind, z: ZObject, bundle: Bundle): Promise<EventRecord[]> {
  const newest = { type: event.name, limit: maxExamples };
  const page = await withRelay(event, z, bundle, (relay) =>
    relay.listEvents(newest, { deadlineMs }),
  );
  return page.data.map(({ id, type, data }) => ({ id, type, data }));
}

/** Zapier has already responded to the relay, so an event of another kind is only left out. */
async function receive(event: EventKind, z: ZObject, bundle: Bundle): Promise<EventRecord[]> {
  const headers = bundle.rawRequest?.headers;
  const delivery = await verified(event, z, bundle);
  // A test of a subscription without a stored event delivers a sample.
  const isSample = headerOf(headers, 'x-relay-test') === 'sample';
  if (delivery.type !== event.name || isSample) return [];
  // The relay's ID distinguishes two events with the same body.
  const id = headerOf(headers, 'webhook-id') ?? eventKey(delivery, delivery.body);
  return [{ id, type: delivery.type, data: delivery.data }];
}

async function verified(event: EventKind, z: ZObject, bundle: Bundle) {
  try {
    const { connectorKey } = readRelay(bundle.authData) ?? missingRelay(event.title);
    return verifiedDelivery(bundle, [parseConnectorKey(connectorKey).signingSecret]);
  } catch (error) {
    throw isMismatch(error) ? ((await keyProblem(event, z, bundle)) ?? error) : error;
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
async function keyProblem(
  event: EventKind,
  z: ZObject,
  bundle: Bundle,
): Promise<ScreenAdvertisingError | undefined> {
  const id = headerOf(bundle.rawRequest?.headers, 'webhook-id');
  if (!id) return undefined;
  try {
    const stored = await withRelay(event, z, bundle, (relay) => relay.getEvent(id, { deadlineMs }));
    return stored && differentKey();
  } catch (error) {
    if (!isKeyRejected(error)) return undefined;
    return keyRevoked(', then replay the event on the page of the relay');
  }
}

function differentKey(): ConfigurationError {
  return new ConfigurationError(
    'connector_key',
    'The Zap subscribed with a different connector key than the one in the connection, so this delivery cannot be verified. Restore that key and replay the event on the page of the relay, or turn the Zap off and on to receive later events.',
  );
}

/** One trigger for every event of the catalogue. Their keys must stay: saved Zaps refer to them. */
export const eventsThroughRelay: readonly Trigger[] =
  Object.values<EventKind>(events).map(throughRelay);
