import {
  ConfigurationError,
  type EventName,
  events,
  parseEvent,
  ScreenAdvertisingError,
  type WebhookEvent,
  WebhookVerificationError,
} from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { parseConnectorKey } from '@screen-advertising/core/relay';
import {
  readWebhookId,
  relayProblemEventKind,
  type StandardWebhookOptions,
  verifyStandardWebhook,
} from '@screen-advertising/core/webhooks';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { defaultSignatureTolerance, readRelayAddress } from '../lib/connection.ts';
import { type NamedStep, withZapierErrors } from '../lib/errors.ts';
import {
  describeEvent,
  type EventRecord,
  eventRecordOf,
  headerValue,
  maxExampleEvents,
} from '../lib/events.ts';
import { runDeadlineMs } from '../lib/limits.ts';
import { relayClientOfConnection, throwMissingRelay, withRelay } from '../lib/relay.ts';

/** An event that a Zap subscribes to, or a few of a relay that belong together. */
interface RelayedKind extends EventKind {
  readonly types: readonly WebhookEvent['type'][];
}

/** The trigger of one event for connections with a relay. The Zap subscribes automatically. */
function throughRelay(event: RelayedKind) {
  const { key, noun, hook } = describeEvent(event);
  const { title: label, description } = event;
  const step: NamedStep = { label, scopes: [], fields: [] };
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      ...hook,
      performSubscribe: withZapierErrors((z, bundle) => subscribe(event, z, bundle), step),
      performUnsubscribe: withZapierErrors(unsubscribe, step),
      performList: withZapierErrors((z, bundle) => recentEvents(event, z, bundle), step),
      // Zapier's command line runs a trigger without a delivery, and then shows examples.
      perform: withZapierErrors(
        async (z, bundle) =>
          bundle.rawRequest ? receive(event, bundle) : recentEvents(event, z, bundle),
        step,
      ),
    },
  } satisfies Trigger;
}

async function subscribe(event: RelayedKind, z: ZObject, bundle: Bundle): Promise<{ id: string }> {
  const subscription = {
    target_url: bundle.targetUrl ?? '',
    events: event.types,
    name: `Zapier: ${event.title}`,
  };
  const { id, state, off_reason } = await withRelay(event, z, bundle, (relay) =>
    relay.subscribe(subscription, { deadlineMs: runDeadlineMs }),
  );
  if (state === 'off') throw switchedOff(off_reason);
  return { id };
}

function switchedOff(reason: string | null): ConfigurationError {
  const why = reason ? ` (${reason})` : '';
  return new ConfigurationError(
    'relay_base_url',
    `The relay stored the subscription but keeps it switched off${why}, so no event would arrive. Switch it on at the relay's page, then turn the Zap on again.`,
  );
}

/**
 * A Zap can be turned off whatever happened to its relay and its connector key, also while the relay
 * is down: Zapier responds to the next delivery with 410, and the relay switches the subscription
 * off.
 */
async function unsubscribe(z: ZObject, bundle: Bundle): Promise<Record<string, never>> {
  const id = bundle.subscribeData?.id;
  try {
    if (id)
      await relayClientOfConnection(z, bundle)?.unsubscribe(id, { deadlineMs: runDeadlineMs });
  } catch (error) {
    if (!ScreenAdvertisingError.isInstance(error)) throw error;
    z.console.log(`The relay keeps the subscription until its next delivery. ${error.message}`);
  }
  return {};
}

/** In the shape of their deliveries, with the IDs of the events. */
async function recentEvents(
  event: RelayedKind,
  z: ZObject,
  bundle: Bundle,
): Promise<EventRecord[]> {
  const pages = await withRelay(event, z, bundle, (relay) =>
    Promise.all(
      event.types.map((type) =>
        relay.listEvents({ type, limit: maxExampleEvents }, { deadlineMs: runDeadlineMs }),
      ),
    ),
  );
  return pages
    .flatMap(({ data }) => data)
    .sort((one, other) => other.received_at.localeCompare(one.received_at))
    .slice(0, maxExampleEvents)
    .map((one) => eventRecordOf(event, one));
}

/** Zapier has already responded to the relay, so an event of another kind is only left out. */
function receive(event: RelayedKind, { rawRequest, authData }: Bundle): EventRecord[] {
  const { connectorKey } = readRelayAddress(authData) ?? throwMissingRelay(event.title);
  const { headers, content: body = '' } = rawRequest ?? {};
  const signedId = verified({
    body,
    id: headerValue(headers, 'webhook-id'),
    timestamp: headerValue(headers, 'webhook-timestamp'),
    signature: headerValue(headers, 'webhook-signature'),
    secrets: [parseConnectorKey(connectorKey).signingSecret],
    toleranceSeconds: defaultSignatureTolerance,
  });
  const { id, isTest } = readWebhookId(signedId);
  const { type, data, payload } = parseEvent(body);
  // Only a test can be a sample: the service may use a field of that name for anything.
  const isSample = isTest && payload.is_sample === true;
  return !event.types.includes(type) || isSample ? [] : [eventRecordOf(event, { id, type, data })];
}

/**
 * Requests nothing from the relay: anyone who knows the address of the hook could cause as many
 * requests as they like.
 */
function verified(delivery: StandardWebhookOptions): string {
  try {
    return verifyStandardWebhook(delivery);
  } catch (error) {
    const isMismatch =
      error instanceof WebhookVerificationError && error.reason === 'signature_mismatch';
    throw isMismatch ? new WebhookVerificationError(error.reason, otherKey) : error;
  }
}

const otherKey =
  "The signature does not match the connector key of this connection. If the relay's page shows this delivery, the key was changed: connect again with the current key, turn the Zap off and on, and replay the event.";

const kinds = Object.values<EventKind & { name: EventName }>(events).map((kind) => ({
  ...kind,
  types: [kind.name],
}));

/**
 * One trigger for every event of the catalogue, and one for the relay's own. Their keys must stay:
 * saved Zaps refer to them.
 */
export const eventsThroughRelay: readonly Trigger[] = [...kinds, relayProblemEventKind].map(
  throughRelay,
);

/** The keys of those whose event a trigger without a relay notices, too, in a list of the service. */
export const triggersWithPollingTwin: readonly string[] = [
  'campaign_request_created',
  'campaign_request_rejected',
];
