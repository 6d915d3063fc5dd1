import { InputError } from '@screen-advertising/core';
import { dayIn } from '@screen-advertising/core/forms';
import { outsideText } from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import type { FieldExtras } from './input-fields.ts';
import { cleaned, isBlank } from './read-input.ts';

/**
 * From and To of campaign requests. The specification leaves their format open: a person may pick a
 * time or write a day, and neither loses any part.
 */
export const createdBetween: FieldExtras = {
  from: {
    type: 'datetime',
    helpText:
      'Only campaign requests from this date or time on. Write a date such as 2027-03-01, or a time with its zone: it is sent unchanged.',
  },
  to: {
    type: 'datetime',
    helpText:
      'Only campaign requests up to this date or time. Write a date such as 2027-03-31, or a time with its zone: it is sent unchanged.',
  },
};

/** A day, or a moment that is the same in every time zone. */
const exact = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/;

/**
 * The input with dates as the person wrote them: Zapier turns a day into a time in the zone of the
 * Zap. Text that only Zapier can read, such as "next monday", stays as Zapier read it.
 */
export function asWritten(
  { inputData, inputDataRaw }: Bundle,
  names: readonly string[] = ['from', 'to'],
): Record<string, unknown> {
  const written = names.flatMap((name) => {
    const text = inputDataRaw?.[name]?.trim() ?? '';
    return exact.test(text) ? [[name, text] as const] : [];
  });
  return { ...inputData, ...Object.fromEntries(written) };
}

/** A Zap runs for months: a period that moves along with the days needs no dates in its steps. */
export const nextDaysField: PlainInputField = {
  key: 'next_days',
  label: 'Next Days',
  type: 'integer',
  required: false,
  placeholder: '14',
  helpText:
    'Instead of From and To: the length of the period in days, starting on the day the Zap runs, in its time zone.',
};

/** The client still requires both: a form that requires them would have no place for days. */
export const optionalPeriod: FieldExtras = { from: { required: false }, to: { required: false } };

const maxDays = 3650;

/**
 * The input, with From and To computed from the days if the person gave days. Throws InputError if
 * the input has both or neither.
 */
export function withPeriod(
  { inputData, meta }: Pick<Bundle, 'inputData' | 'meta'>,
  label: string,
  now = Date.now(),
): Record<string, unknown> {
  const { next_days: given, ...rest } = inputData;
  const hasDates = !isBlank(rest.from) || !isBlank(rest.to);
  if (isBlank(given)) {
    if (hasDates) return rest;
    throw refused(
      label,
      '',
      'either From and To, or Next Days, must be filled in. A field mapped from an earlier step may have been empty',
    );
  }
  if (hasDates) throw refused(label, 'next_days', 'must be empty when From or To is filled in');
  const from = today(meta.timezone ?? 'UTC', now, label);
  return { ...rest, from, to: daysAfter(from, readDays(cleaned(given), label) - 1) };
}

function today(timeZone: string, now: number, label: string): string {
  try {
    return dayIn(timeZone, now);
  } catch {
    throw refused(
      label,
      'next_days',
      `needs the time zone of the Zap, and "${outsideText(timeZone)}" is unknown: choose another in the settings of the Zap, or fill in From and To`,
    );
  }
}

function readDays(given: unknown, label: string): number {
  const days = /^\d+(\.0+)?$/.test(String(given)) ? Number(given) : 0;
  if (days >= 1 && days <= maxDays) return days;
  throw refused(label, 'next_days', `must be a whole number from 1 to ${maxDays}, not "${given}"`);
}

function daysAfter(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function refused(label: string, field: string, message: string): InputError {
  return new InputError(label, [{ field, message }]);
}
