import { allFields } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import type { PlainOutputField } from 'zapier-platform-core';
import { isTimestamp, labelFromName, labelWithUnit, zapierNoun } from './fields.ts';
import { withAllDeclaredFields } from './steps.ts';

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
export const maxExampleEvents = 3;

/** An event, and the types of several that belong together. */
type Described = EventKind & { readonly types?: readonly string[] };

/** The record of an event, with every field that its trigger declares. */
export function eventRecordOf(
  event: Described,
  { id, type, data }: { readonly id: string; readonly type: string; readonly data: object },
): EventRecord {
  const record = { id, type, data: withCurrencyAmounts(allFields(data)) };
  return withAllDeclaredFields(record, describeEvent(event).hook.outputFields) as EventRecord;
}

/** The parts that every trigger of an event shares. */
export function describeEvent({ name, sample, types: [type] = [name] }: Described) {
  // `campaign_request.rejected` is about a Campaign Request.
  const subject = labelFromName(name.replace(/\..*/, ''));
  const data = withCurrencyAmounts(sample);
  const outputFields: PlainOutputField[] = [
    { key: 'id', label: 'Event ID', type: 'string', primary: true },
    { key: 'type', label: 'Type', type: 'string' },
    ...Object.entries(data).map(([name, value]) => dataField(name, value, subject, data)),
  ];
  return {
    key: name.replaceAll('.', '_'),
    noun: zapierNoun(subject),
    hook: {
      type: 'hook',
      sample: { id: 'evt_0001', type, data },
      outputFields,
    },
  } as const;
}

/** `data` shows whether a number is an amount: then its cents are beside it. */
function dataField(
  name: string,
  value: unknown,
  subject: string,
  data: Readonly<Record<string, unknown>>,
): PlainOutputField {
  const type = typeof value === 'number' ? 'number' : 'string';
  const unit = name.endsWith('_cents') ? 'cents' : undefined;
  // The record's own ID would look like the event's.
  const label = name === 'id' ? `${subject} ID` : labelFromName(name);
  return {
    key: `data__${name}`,
    label: `${name}_cents` in data ? `${label} in Currency Units` : labelWithUnit(label, unit),
    type: isTimestamp(name) ? 'datetime' : type,
  };
}

/** Zapier writes header names as `Http-X-Service-Signature`. */
export function headerValue(
  headers: Record<string, string> = {},
  wanted: string,
): string | undefined {
  const named = Object.entries(headers).find(
    ([name]) => name.toLowerCase().replace(/^http-/, '') === wanted,
  );
  return named?.[1];
}
