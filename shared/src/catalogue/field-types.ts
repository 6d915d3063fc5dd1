import * as z from 'zod';

/** Words around a field, shown by every form and document. */
export interface FieldText {
  /** Label in Title Case. */
  title: string;
  /** Help in whole sentences: what it is, its limits, what happens without it. */
  description: string;
  examples?: readonly unknown[];
}

/** A text that must hold at least one character. */
export function text(meta: FieldText): z.ZodString {
  return z
    .string()
    .min(1, 'must not be empty')
    .meta(meta as z.GlobalMeta);
}

/** A choice whose values come with labels for people: `{ percent: 'Percent' }`. */
export function choice<const Labels extends Record<string, string>>(
  labels: Labels,
  meta: FieldText,
): z.ZodEnum<{ [Value in keyof Labels & string]: Value }> {
  const values = Object.keys(labels) as (keyof Labels & string)[];
  return z
    .enum(values, { error: `must be one of ${values.join(', ')}` })
    .meta({ ...meta, 'x-labels': labels } as z.GlobalMeta) as never;
}

export function email(meta: FieldText): z.ZodEmail {
  return z
    .email({
      pattern: z.regexes.unicodeEmail,
      error: 'must be an e-mail address such as lead@example.com',
    })
    .meta(meta as z.GlobalMeta);
}

/** A calendar date, YYYY-MM-DD. */
export function date(meta: FieldText): z.ZodISODate {
  return z.iso
    .date({ error: 'must be a calendar date written YYYY-MM-DD, such as 2026-03-31' })
    .meta(meta as z.GlobalMeta);
}

const isJson = (value: unknown, parents: readonly unknown[] = []): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || parents.includes(value)) return false;
  const inside = [...parents, value];
  return Object.values(value).every((member) => isJson(member, inside));
};

/** Any JSON value. */
export function json(meta: FieldText): z.ZodUnknown {
  return z
    .unknown()
    .refine((value) => value === undefined || isJson(value), 'must be a value that JSON can hold')
    .meta(meta as z.GlobalMeta);
}
