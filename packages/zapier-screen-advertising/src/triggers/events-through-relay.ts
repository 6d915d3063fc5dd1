import { events } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { describeEvent, type EventRecord, mostExamples } from '../lib/event-record.ts';
import { guarded } from '../lib/guarded.ts';
import { deadlineMs } from '../lib/limits.ts';
import { askRelay, isKeyRefused, relayOf } from '../lib/relay.ts';
import { receiveFromRelay } from '../lib/relay-delivery.ts';
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
      performSubscribe: guarded((z, bundle) => subscribe(event, z, bundle), step),
      performUnsubscribe: guarded(unsubscribe, step),
      performList: guarded((z, bundle) => recentEvents(event, z, bundle), step),
      perform: guarded((z, bundle) => receiveFromRelay(event, z, bundle), step),
    },
  } satisfies Trigger;
}

async function subscribe(event: EventKind, z: ZObject, bundle: Bundle): Promise<{ id: string }> {
  const wanted = {
    targetUrl: bundle.targetUrl ?? '',
    events: [event.name],
    name: `Zapier: ${event.title}`,
  };
  const { id } = await askRelay(event, z, bundle, (relay) =>
    relay.subscribe(wanted, { deadlineMs }),
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
    if (!isKeyRefused(error)) throw error;
  }
  return {};
}

/** In the shape of their deliveries, and with the same IDs. */
async function recentEvents(event: EventKind, z: ZObject, bundle: Bundle): Promise<EventRecord[]> {
  const newest = { type: event.name, limit: mostExamples };
  const page = await askRelay(event, z, bundle, (relay) =>
    relay.listEvents(newest, { deadlineMs }),
  );
  return page.data.map(({ id, type, data }) => ({ id, type, data }));
}

/** One trigger for every event of the catalogue. Their keys must stay: saved Zaps refer to them. */
export const eventsThroughRelay: readonly Trigger[] =
  Object.values<EventKind>(events).map(throughRelay);
