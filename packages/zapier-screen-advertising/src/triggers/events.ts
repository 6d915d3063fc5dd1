import { ConfigurationError, events, operations, verifyWebhook } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { eventKey, signatureHeaderName } from '@screen-advertising/core/webhooks';
import type { Bundle, PlainOutputField, Trigger, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { signingSecrets } from '../lib/connection.ts';
import { isTimestamp, labelOf, withUnit } from '../lib/field-names.ts';
import { guarded } from '../lib/guarded.ts';
import { deadlineMs } from '../lib/limits.ts';
import type { Step } from '../lib/step.ts';

/** Seconds: the retries of the service end 756 s after an event, and Zapier may hold deliveries. */
const toleranceSeconds = 1200;

const directions =
  'Copy this address and send it to the administration of the service, which registers it for your access and gives you a signing secret. Put the secret into the field Signing Secret of your connection. Deliveries that are not signed with it are refused.';

/** A delivery of the service, the same shape whichever way the service writes it. */
interface EventRecord {
  id: string;
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/**
 * The trigger of one event. The service has no endpoint to subscribe to events, so the address is
 * handed over by a person; Zapier allows such triggers in private apps only.
 */
function eventTrigger(event: EventKind) {
  const key = event.name.replaceAll('.', '_');
  const step: Step = { label: event.title, scopes: isListed(event) ? list.scopes : [], fields: [] };
  return {
    key,
    noun: nounOf(event),
    display: { label: event.title, description: event.description, directions },
    operation: {
      type: 'hook',
      ...(isListed(event) && { performList: guarded(recentRecords(event), step) }),
      perform: guarded(async (_z: ZObject, bundle: Bundle) => receive(event, bundle), step),
      sample: { id: 'evt_0001', type: event.name, data: event.sample },
      outputFields: [
        { key: 'id', label: 'Event ID', type: 'string', primary: true },
        { key: 'type', label: 'Type', type: 'string' },
        ...Object.entries(event.sample).map(dataField),
      ],
    },
  } satisfies Trigger;
}

const list = operations['campaignRequest.list'];

/** Campaign requests are the only things with events that the service lists. */
function isListed({ name }: EventKind): boolean {
  return name.startsWith('campaign_request.');
}

/** What deliveries of the event may hold, made of records that are there, for the test of the trigger. */
function recentRecords({ name, sample }: EventKind) {
  return async (z: ZObject, bundle: Bundle): Promise<EventRecord[]> => {
    const status = name === 'campaign_request.rejected' ? ({ status: 'rejected' } as const) : {};
    const { data } = await clientFor(z, bundle).call(list, status, { deadlineMs });
    return data.slice(0, mostExamples).map((record) => {
      const shown = Object.entries(record).filter(([field]) => field in sample);
      return { id: `${record.id} sample`, type: name, data: Object.fromEntries(shown) };
    });
  };
}

const mostExamples = 3;

/** What the event is about: `campaign_request.rejected` is about a Campaign Request. */
function nounOf({ name }: EventKind): string {
  return labelOf(name.replace(/\..*/, ''));
}

/** Zapier has already answered the service: an event of another kind is only left out. */
function receive(event: EventKind, { authData, rawRequest }: Bundle): EventRecord[] {
  const body = rawRequest?.content ?? '';
  const secrets = signingSecrets(authData);
  if (secrets.length === 0) throw missingSecret();
  const delivery = verifyWebhook({
    body,
    signature: signatureOf(rawRequest?.headers),
    secrets,
    toleranceSeconds,
  });
  if (delivery.type !== event.name) return [];
  const id = delivery.id ?? eventKey(delivery, body);
  return [{ id, type: delivery.type, data: delivery.data }];
}

/** Zapier writes header names as `Http-X-Service-Signature`. */
function signatureOf(headers: Record<string, string> = {}): string | undefined {
  const named = Object.entries(headers).find(
    ([name]) => name.toLowerCase().replace(/^http-/, '') === signatureHeaderName,
  );
  return named?.[1];
}

/**
 * A run that halts tells nobody, and what comes from strangers should not. This is the owner's own
 * mistake, which loses every event until it is mended: they must hear of it.
 */
function missingSecret(): ConfigurationError {
  return new ConfigurationError(
    'signing_secret',
    'The delivery was refused, because the connection has no signing secret to check it with. Put the one that the administration of the service gave you into the field Signing Secret of the connection.',
  );
}

function dataField([name, value]: [string, unknown]): PlainOutputField {
  const type = typeof value === 'number' ? 'number' : 'string';
  return {
    key: `data__${name}`,
    label: withUnit(labelOf(name), name),
    type: isTimestamp(name) ? 'datetime' : type,
  };
}

/** One trigger for every event of the catalogue, by key. */
export const eventTriggers = Object.fromEntries(
  Object.values(events).map((event) => {
    const trigger = eventTrigger(event);
    return [trigger.key, trigger];
  }),
);
