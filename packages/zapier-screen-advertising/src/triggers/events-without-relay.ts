import { ConfigurationError, events, verifyWebhook } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { eventKey, signatureHeaderName } from '@screen-advertising/core/webhooks';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { signatureTolerance, signingSecrets } from '../lib/connection.ts';
import { type NamedStep, withoutRequestLog, withZapierErrors } from '../lib/errors.ts';

import { describeEvent, type EventRecord, eventRecordOf, headerValue } from '../lib/events.ts';

const directions =
  'Copy this address and send it to the Screen Advertising team, which registers it and issues a signing secret. Paste the secret into Signing Secret of your connection. Deliveries not signed with it are rejected.';

/**
 * The trigger of one event for users without a relay. The service has no endpoint to subscribe to
 * events, so a person passes on the address. Zapier allows such triggers in private apps only.
 */
function withoutRelay(event: EventKind) {
  const { key, noun, hook } = describeEvent(event);
  const label = `${event.title} (Manual Setup)`;
  const step: NamedStep = { label, scopes: [], fields: [] };
  return {
    key: `${key}_manual_setup`,
    noun,
    display: {
      label,
      description: event.description.replace(/\.$/, ', without a relay.'),
      directions,
    },
    operation: {
      ...hook,
      perform: withZapierErrors(async (z: ZObject, bundle: Bundle) => {
        if (!bundle.rawRequest)
          throw withoutRequestLog(new z.errors.HaltedError(noDelivery(label)));
        return receive(event, z, bundle);
      }, step),
    },
  } satisfies Trigger;
}

/** Zapier's command line runs a trigger without a delivery. */
function noDelivery(label: string): string {
  return `${label} has no examples: only a delivery to the address that Zapier gave the Zap starts it. Choose the trigger without "(Manual Setup)" to see the events of a relay.`;
}

/** Zapier has already responded to the service, so an event of another kind is only left out. */
function receive(event: EventKind, z: ZObject, bundle: Bundle): EventRecord[] {
  const secrets = signingSecrets(bundle.authData);
  if (secrets.length === 0) throw missingSecret();
  const delivery = verifiedDelivery(bundle, secrets, signatureTolerance(bundle.authData));
  if (!delivery.scheme.signedContent.includes('{t}')) z.console.log(unsignedTime);
  if (delivery.type !== event.name) return [];
  const id = delivery.id ?? eventKey(delivery, delivery.body);
  return [eventRecordOf(event, { ...delivery, id })];
}

/** Returns a delivery that one of the secrets signed. Throws WebhookVerificationError. */
function verifiedDelivery(
  { rawRequest }: Bundle,
  secrets: readonly string[],
  toleranceSeconds: number,
): ReturnType<typeof verifyWebhook> & { readonly body: string } {
  const body = rawRequest?.content ?? '';
  const signature = headerValue(rawRequest?.headers, signatureHeaderName);
  return { ...verifyWebhook({ body, signature, secrets, toleranceSeconds }), body };
}

const unsignedTime =
  'The signature of this delivery covers only the body, not the time. Anyone who recorded it can start the Zap with it again. Ask the Screen Advertising team to sign the time too. Until then, check the Event ID before a step that must run once.';

function missingSecret(): ConfigurationError {
  return new ConfigurationError(
    'signing_secret',
    'The delivery was rejected because the connection has no signing secret. Paste the secret from the Screen Advertising team into Signing Secret of the connection.',
  );
}

/** One trigger for every event of the catalogue. Their keys must stay: saved Zaps refer to them. */
export const eventsWithoutRelay: readonly Trigger[] =
  Object.values<EventKind>(events).map(withoutRelay);
