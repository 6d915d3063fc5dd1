import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { type InputOf, readForm } from '@screen-advertising/core/forms';
import type { PlainInputField } from 'zapier-platform-core';

type InputData = Readonly<Record<string, unknown>>;

/**
 * Reads what a person filled in or mapped as the input of a catalogue entry; `optional` names
 * fields that this form does not require. The time zone of the Zap decides the day of a moment. Throws
 * one InputError with every fault.
 */
export function readInput<Op extends CatalogueEntry>(
  operation: Op,
  inputData: InputData,
  optional: readonly string[] = [],
  timeZone?: string | null,
): InputOf<Op> {
  const entered = Object.entries(inputData).map(([key, value]) => [key, cleaned(value)] as const);
  const filledIn = Object.fromEntries(entered.filter(([, value]) => !isBlank(value)));
  return readForm(operation, filledIn, { optional, timeZone: timeZone ?? undefined });
}

/**
 * Cleans up a value: mapped values often have surrounding white space, or nothing else. This
 * includes values in lists and in pairs of key and value; pairs without a value are left out.
 */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, inner]) => [key.trim(), cleaned(inner)] as const);
  return Object.fromEntries(pairs.filter(([key, inner]) => key !== '' && !isBlank(inner)));
}

/** What to say when none of these fields is filled in. */
export function atLeastOneOf(fields: readonly PlainInputField[]): string {
  const labels = fields.map(({ label }) => label).join(', ');
  return `at least one of these must be filled in: ${labels}. A field mapped from an earlier step may have been empty`;
}

/** True for undefined, null, '', white space, [] and {}. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}
