import * as z from 'zod/mini';

/** Words around a field, shown by every form and document. */
export interface FieldText {
  /** Label in Title Case. */
  title: string;
  /** Help in whole sentences: what it is, its limits, what happens without it. */
  description: string;
  examples?: readonly unknown[];
}

const words = (text: FieldText | { title: string; description?: string }) =>
  z.meta(text as z.core.GlobalMeta);

/** A text that must hold at least one character. */
export function text(meta: FieldText): z.ZodMiniString {
  return z.string('must be text').check(z.minLength(1, 'must not be empty'), words(meta));
}

/** A choice whose values come with labels for people: `{ percent: 'Percent' }`. */
export function choice<const Labels extends Record<string, string>>(
  labels: Labels,
  meta: FieldText,
): z.ZodMiniEnum<{ [Value in keyof Labels & string]: Value }> {
  const values = Object.keys(labels) as (keyof Labels & string)[];
  const schema = z.enum(values, `must be one of ${values.join(', ')}`);
  return schema.check(words({ ...meta, 'x-labels': labels } as FieldText)) as never;
}

export function email(meta: FieldText): z.ZodMiniEmail {
  return z
    .email({
      pattern: z.regexes.unicodeEmail,
      error: 'must be an e-mail address such as lead@example.com',
    })
    .check(words(meta));
}

/** A calendar date, YYYY-MM-DD. */
export function date(meta: FieldText): z.iso.ZodMiniISODate {
  return z.iso
    .date('must be a calendar date written YYYY-MM-DD, such as 2026-03-31')
    .check(words(meta));
}

export function number(above: number, meta: FieldText): z.ZodMiniNumber {
  return z
    .number('must be a number')
    .check(z.gt(above, `must be greater than ${above}`), words(meta));
}

export function integer(minimum: number, maximum: number, meta: FieldText): z.ZodMiniNumberFormat {
  return z
    .int(`must be a whole number from ${minimum} to ${maximum}`)
    .check(
      z.minimum(minimum, `must be at least ${minimum}`),
      z.maximum(maximum, `must be at most ${maximum}`),
      words(meta),
    );
}

const isJson = (value: unknown, parents: readonly unknown[] = []): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || parents.includes(value)) return false;
  const inside = [...parents, value];
  return Object.values(value).every((member) => isJson(member, inside));
};

/** Any JSON value. */
export function json(meta: FieldText): z.ZodMiniUnknown {
  return z.unknown().check(
    z.refine((value) => value === undefined || isJson(value), 'must be a value that JSON can hold'),
    words(meta),
  );
}

/** Fields of records: any of them may be missing or null, and none is checked when read. */
type Maybe<Schema extends z.ZodMiniType> = z.ZodMiniOptional<z.ZodMiniNullable<Schema>>;

const recordField =
  <Schema extends z.ZodMiniType>(make: () => Schema) =>
  (title: string, description?: string): Maybe<Schema> =>
    z.nullish(make()).check(words({ title, ...(description && { description }) }));

export const textOut = recordField(() => z.string());
export const numberOut = recordField(() => z.number());
export const booleanOut = recordField(() => z.boolean());
export const objectOut = recordField(() => z.looseObject({}));
