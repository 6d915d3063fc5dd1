import type { Bundle } from 'zapier-platform-core';
import type { FieldExtras } from './input-fields.ts';

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
