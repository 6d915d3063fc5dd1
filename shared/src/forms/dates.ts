import type { FormField } from '../catalogue/fields.ts';

/** Year first, or year last. Parts with dots are day first everywhere. */
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})$/;

/** Whether the field holds a date, also where the contract leaves its format open. */
export function isDate({ type, example = '' }: FormField): boolean {
  return type === 'date' || (type === 'text' && yearFirst.test(example));
}

/**
 * A day that people write in their own form, as YYYY-MM-DD: `24.12.2026` and `12/24/2026`. Undefined
 * if the text can mean two days. Any other text stays as it is.
 */
export function parseTypedDay(text: string): string | undefined {
  const [, year, , month = '', day = ''] = yearFirst.exec(text) ?? [];
  if (year) return realDay(year, month, day) ?? text;
  const [, one = '', separator, other = '', lastYear] = yearLast.exec(text) ?? [];
  if (!lastYear) return text;
  const dayFirst = realDay(lastYear, other, one);
  const monthFirst = separator === '.' ? undefined : realDay(lastYear, one, other);
  if (dayFirst && monthFirst && dayFirst !== monthFirst) return undefined;
  return dayFirst ?? monthFirst ?? text;
}

export function realDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(text);
  return date.getTime() && date.toISOString().startsWith(text) ? text : undefined;
}
