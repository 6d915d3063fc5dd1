import { verifyWebhook } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { signatureHeaderName } from '@screen-advertising/core/webhooks';
import type { Bundle, PlainOutputField } from 'zapier-platform-core';
import { amountField, withAmounts } from './amounts.ts';
import { isTimestamp, labelOf, withUnit } from './field-names.ts';

/**
 * An event as Zaps get it, whether it comes directly or through a relay, in whatever format the
 * service uses.
 */
export interface EventRecord {
  id: string;
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/** The editor's test of a trigger needs no more. */
export const maxExamples = 3;

/** The parts that every trigger of an event shares. */
export function describeEvent({
  name,
  sample,
  types: [type] = [name],
}: EventKind & { readonly types?: readonly string[] }) {
  // `campaign_request.rejected` is about a Campaign Request.
  const noun = labelOf(name.replace(/\..*/, ''));
  const outputFields: PlainOutputField[] = [
    { key: 'id', label: 'Event ID', type: 'string', primary: true },
    { key: 'type', label: 'Type', type: 'string' },
    ...Object.entries(sample).flatMap((field) => dataFields(field, noun)),
  ];
  return {
    key: name.replaceAll('.', '_'),
    noun,
    hook: {
      type: 'hook',
      sample: { id: 'evt_0001', type, data: withAmounts(sample) },
      outputFields,
    },
  } as const;
}

function dataFields([name, value]: [string, unknown], noun: string): PlainOutputField[] {
  const type = typeof value === 'number' ? 'number' : 'string';
  const field: PlainOutputField = {
    key: `data__${name}`,
    // The record's own ID would look like the event's.
    label: name === 'id' ? `${noun} ID` : withUnit(labelOf(name), name),
    type: isTimestamp(name) ? 'datetime' : type,
  };
  return [field, ...amountField(field.key, labelOf(name))];
}

/** Returns a delivery that one of the secrets signed. Throws WebhookVerificationError. */
export function verifiedDelivery(
  { rawRequest }: Bundle,
  secrets: readonly string[],
  toleranceSeconds: number,
): ReturnType<typeof verifyWebhook> & { readonly body: string } {
  const body = rawRequest?.content ?? '';
  const signature = headerOf(rawRequest?.headers, signatureHeaderName);
  return { ...verifyWebhook({ body, signature, secrets, toleranceSeconds }), body };
}

/** Zapier writes header names as `Http-X-Service-Signature`. */
export function headerOf(headers: Record<string, string> = {}, wanted: string): string | undefined {
  const named = Object.entries(headers).find(
    ([name]) => name.toLowerCase().replace(/^http-/, '') === wanted,
  );
  return named?.[1];
}
