import type { Bundle } from 'zapier-platform-core';
import type { FieldExtras } from './input-fields.ts';

/**
 * From and To of campaign requests, whose format the specification leaves open: a person may pick a
 * time or write a day, and no part of it gets lost.
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

/** A day, or a moment that is the same in every zone. */
const exact = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/;

/**
 * What a person filled in, with From and To as they were written: Zapier makes a time in the zone of
 * the Zap of a day. What it alone can read, such as "next monday", stays as it has read it.
 */
export function asWritten({ inputData, inputDataRaw }: Bundle): Record<string, unknown> {
  const written = ['from', 'to'].flatMap((name) => {
    const text = inputDataRaw?.[name]?.trim() ?? '';
    return exact.test(text) ? [[name, text] as const] : [];
  });
  return { ...inputData, ...Object.fromEntries(written) };
}
