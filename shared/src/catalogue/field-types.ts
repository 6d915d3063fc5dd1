import * as z from 'zod/mini';
import { _isoDate } from 'zod/v4/core';

/** Texts about a field, for every form and document. */
export interface FieldText {
  /** Label in Title Case. */
  title: string;
  /** Help in whole sentences: what the field is, its limits, and its default. */
  description: string;
  examples?: readonly unknown[];
}

/** What the catalogue says of a field beside its schema, in the words of JSON Schema. */
export interface FieldMeta extends FieldText {
  /** For a field whose schema takes more than forms do. */
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The labels of a choice, by value. */
  readonly 'x-labels'?: Readonly<Record<string, string>>;
}

const words = (meta: FieldMeta | { title: string; description?: string }) =>
  z.meta(meta as z.core.GlobalMeta);

/** Half of a surrogate pair has no UTF-8 form, so no request can carry it. */
const wellFormed = z.refine<string>(
  (value) => value.isWellFormed(),
  'contains an incomplete character; type it again',
);

/** A text of at least one character. */
export function text(meta: FieldText): z.ZodMiniString<string> {
  return z
    .string('must be text')
    .check(z.minLength(1, 'must not be empty'), wellFormed, words(meta));
}

/** A text used in a path. URL parsers read `.` and `..` as path steps, however encoded. */
export function identifier(meta: FieldText): z.ZodMiniString<string> {
  return text(meta).check(z.refine((value) => !/^\.{1,2}$/.test(value), 'must not be only dots'));
}

/** A choice whose values come with labels for people: `{ percent: 'Percent' }`. */
export function choice<const Labels extends Record<string, string>>(
  labels: Labels,
  meta: FieldText,
): z.ZodMiniEnum<{ [Value in keyof Labels & string]: Value }> {
  const values = Object.keys(labels) as (keyof Labels & string)[];
  const schema = z.enum(values, `must be one of ${values.join(', ')}`);
  return schema.check(words({ ...meta, 'x-labels': labels })) as never;
}

/**
 * Uses the lengths of RFC 5321 and allows any script. zod has the same pattern, but importing it
 * from `z.regexes` bundles all of them.
 */
const emailPattern = /^[^\s@"]{1,64}@[^\s@]{1,255}$/u;

export function email(meta: FieldText): z.ZodMiniEmail {
  return z
    .email({
      pattern: emailPattern,
      error: 'must be an email address such as lead@example.com',
    })
    .check(wellFormed, words(meta));
}

/** A calendar date, YYYY-MM-DD. Importing it from `z.iso` bundles times and durations too. */
export function date(meta: FieldText): z.iso.ZodMiniISODate {
  const error = 'must be a calendar date in the format YYYY-MM-DD, such as 2026-03-31';
  return _isoDate(z.ZodMiniISODate, error).check(words(meta));
}

/** Day, month and year in some order: the reader would have to guess which. */
const localDate = /^\d{1,2}[-./] ?\d{1,2}[-./] ?\d{2,4}(?!\d)/;

/** A text for a date or a timestamp. The contract leaves its format open. */
export function dateOrTime(meta: FieldText): z.ZodMiniString<string> {
  const error = 'must be a date such as 2027-03-31, or a time such as 2027-03-31T23:59:59Z';
  return text(meta).check(z.refine((value) => !localDate.test(value), error));
}

/** The day of a text that starts with one. Days sort as text. */
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined;

/** A period of a first and a last day. */
export const notBeforeFrom = z.refine<{ from?: unknown; to?: unknown }>(
  ({ from, to }) => (dayOf(to) ?? '9') >= (dayOf(from) ?? ''),
  {
    path: ['to'],
    error: ({ input }) => `(${(input as { to?: unknown }).to}) must not be before from`,
  },
);

export function number(above: number, meta: FieldMeta, what = 'a number'): z.ZodMiniNumber<number> {
  return z
    .number(`must be ${what}`)
    .check(z.gt(above, `must be greater than ${above}`), words(meta));
}

export function integer(minimum: number, maximum: number, meta: FieldText): z.ZodMiniNumberFormat {
  return z
    .int(`must be a whole number from ${minimum} to ${maximum}`)
    .check(
      z.minimum(minimum, `must be at least ${minimum}`),
      z.maximum(maximum, `must be at most ${maximum}`),
      words({ ...meta, minimum, maximum }),
    );
}

/** Deeper than any real data, and within what JSON.stringify can handle. */
const deepestJson = 500;

const isJson = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'boolean' || value === null) return true;
  // A circular value has endless depth.
  if (typeof value !== 'object' || !isPlain(value) || depth > deepestJson) return false;
  return Object.values(value).every((member) => isJson(member, depth + 1));
};

/** An array or object literal, also of another realm. JSON.stringify would empty a Map or Set. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** Any JSON value. */
export function json(meta: FieldText): z.ZodMiniUnknown {
  return z.unknown().check(
    z.refine((value) => value === undefined || isJson(value), 'must be a JSON value'),
    words(meta),
  );
}

/** All fields of a record, with those that its type does not name: `allFields(coupon).tier`. */
export function allFields(record: object): Readonly<Record<string, unknown>> {
  return record as Readonly<Record<string, unknown>>;
}

/** Any field of a record may be missing or null, and none is validated when read. */
type Maybe<Schema extends z.ZodMiniType> = z.ZodMiniOptional<z.ZodMiniNullable<Schema>>;

const recordField =
  <Schema extends z.ZodMiniType>(make: () => Schema) =>
  (title: string, description?: string): Maybe<Schema> =>
    z.nullish(make()).check(words({ title, ...(description && { description }) }));

export const textOut = recordField(() => z.string());
export const numberOut = recordField(() => z.number());
export const booleanOut = recordField(() => z.boolean());
export const objectOut = recordField(() => z.looseObject({}));
