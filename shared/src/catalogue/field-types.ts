import * as z from 'zod/mini';

/** Texts about a field, for every form and document. */
export interface FieldText {
  /** Label in Title Case. */
  title: string;
  /** Help in whole sentences: what the field is, its limits, and its default. */
  description: string;
  examples?: readonly unknown[];
}

/** Describes a field beside its schema, in the words of JSON Schema. */
export interface FieldMeta extends FieldText {
  /** For a field whose schema takes more than forms do. */
  readonly type?: string;
  readonly format?: 'email' | 'date';
  readonly minimum?: number;
  readonly maximum?: number;
  /** The labels of a choice, by value. */
  readonly 'x-labels'?: Readonly<Record<string, string>>;
}

/** Describes a field for forms alone. */
export interface FormMeta {
  /** The kind of text, where forms read it in its own way. */
  readonly holds?: 'code' | 'country' | 'coordinates' | 'moment';
  readonly unit?: NumberUnit | UnitByField;
  /** The label of the choice to leave the field out on purpose, though that widens. */
  readonly widens?: string;
}

const formMetas = new WeakMap<object, FormMeta>();

/** Documents would have to explain it, so it is not among what JSON Schema is made of. */
export const getFormMeta = (schema: z.ZodMiniType): FormMeta => formMetas.get(schema) ?? {};

/** Adds it to a schema, and to each that is made of it with further checks. */
export function withFormMeta<Value>(meta: FormMeta): z.core.$ZodCheck<Value> {
  // Not `new z.core.$ZodCheck`: with that name, bundles hold all of zod. As `z.meta` does it.
  const check = z.meta({}) as z.core.$ZodCheck<Value>;
  check._zod.onattach = [
    (schema) => {
      formMetas.set(schema, { ...formMetas.get(schema), ...meta });
    },
  ];
  return check;
}

/** What a number counts. Forms take `cents` in units of currency, and `percent` with a sign. */
export type NumberUnit = 'cents' | 'percent' | 'days' | 'times' | 'pixels' | 'kilometers';

/** The unit of a number follows from the value of another field. */
export interface UnitByField {
  readonly field: string;
  readonly units: Readonly<Record<string, NumberUnit>>;
  /** The description of the number in forms, which take amounts in units of currency. */
  readonly inForms: string;
}

declare const saysWhatLeavingOutDoes: unique symbol;

/** An optional field that says what leaving it out does. `defineOperation` takes no other. */
export type OptionalField<Schema extends z.ZodMiniType = z.ZodMiniType> =
  z.ZodMiniOptional<Schema> & { readonly [saysWhatLeavingOutDoes]: true };

/**
 * A field that may be left out. That `widens` what is found or given away, if the field is a
 * condition: a form then never leaves it out only because what was mapped into it came out empty.
 * `without` labels the choice to leave it out.
 */
export function optionalField<Schema extends z.ZodMiniType>(
  schema: Schema,
  leavingOut: 'widens' | 'is harmless',
  without = 'Leave It Out',
): OptionalField<Schema> {
  const field = z.optional(schema);
  const marked = leavingOut === 'widens' ? field.check(withFormMeta({ widens: without })) : field;
  return marked as OptionalField<Schema>;
}

const words = (meta: Partial<FieldMeta>) => z.meta(meta as z.core.GlobalMeta);

/**
 * A limit, and how JSON Schema writes it. Like the limits below, it does without zod's own checks:
 * each kind of them is large to bundle.
 */
const limit = <Value>(
  keyword: object,
  holds: (value: Value) => boolean,
  error: string,
): z.core.$ZodCheck<Value>[] => [z.refine(holds, error), words(keyword)];

export const matchesPattern = (pattern: RegExp, error: string) =>
  limit<string>({ pattern: pattern.source }, (value) => pattern.test(value), error);

export const atLeast = (minimum: number) =>
  limit<number>({ minimum }, (value) => value >= minimum, `must be at least ${minimum}`);

export const atMost = (maximum: number, why = '') =>
  limit<number>({ maximum }, (value) => value <= maximum, `must be at most ${maximum}${why}`);

/** Half of a surrogate pair has no UTF-8 form, so no request can carry it. */
const wellFormed = z.refine<string>(
  (value) => value.isWellFormed(),
  'contains an incomplete character; type it again',
);

/** A text of at least one character. */
export function textField(meta: FieldText): z.ZodMiniString<string> {
  const notEmpty = limit<string>({ minLength: 1 }, (value) => value !== '', 'must not be empty');
  return z.string('must be text').check(...notEmpty, wellFormed, words(meta));
}

/** A text used in a path. URL parsers read `.` and `..` as path steps, however encoded. */
export function identifierField(meta: FieldText): z.ZodMiniString<string> {
  return textField(meta).check(
    z.refine((value) => !/^\.{1,2}$/.test(value), 'must not be only dots'),
    withFormMeta({ holds: 'code' }),
  );
}

/** A choice whose values come with labels for people: `{ percent: 'Percent' }`. */
export function choiceField<const Labels extends Record<string, string>>(
  labels: Labels,
  meta: FieldText,
): z.ZodMiniType<keyof Labels & string, keyof Labels & string> {
  const values = Object.keys(labels);
  const error = `must be one of ${values.join(', ')}`;
  const known = limit<string>({ enum: values }, (value) => values.includes(value), error);
  return z.string(error).check(...known, words({ ...meta, 'x-labels': labels })) as never;
}

/**
 * Uses the lengths of RFC 5321 and allows any script. Without brackets and `mailto:`: with them, the
 * address would be that of another user.
 */
const emailPattern = /^(?!mailto:)[^\s@"<>]{1,64}@[^\s@<>]{1,255}$/u;

export function emailField(meta: FieldText): z.ZodMiniString<string> {
  const error = 'must be an email address such as lead@example.com';
  return z
    .string(error)
    .check(...matchesPattern(emailPattern, error), wellFormed, words({ ...meta, format: 'email' }));
}

/** A calendar date, YYYY-MM-DD. */
export function dateField(meta: FieldText): z.ZodMiniString<string> {
  const error = 'must be a calendar date in the format YYYY-MM-DD, such as 2026-03-31';
  const isDate = (value: string) => new Date(value).toJSON()?.slice(0, 10) === value;
  return z.string(error).check(z.refine(isDate, error), words({ ...meta, format: 'date' }));
}

/** Day, month and year in some order: the reader would have to guess which. */
const localDate = /^\d{1,2}[-./] ?\d{1,2}[-./] ?\d{2,4}(?!\d)/;

/** A text for a date or a timestamp. The contract leaves its format open. */
export function dateOrTimeField(meta: FieldText): z.ZodMiniString<string> {
  const error = 'must be a date such as 2027-03-31, or a time such as 2027-03-31T23:59:59Z';
  return textField(meta).check(
    z.refine((value) => !localDate.test(value), error),
    withFormMeta({ holds: 'moment' }),
  );
}

/** The day of a text that starts with one. Days sort as text. */
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined;

/** A period of a first and a last day. */
export const toIsNotBeforeFrom = z.refine<{ from?: unknown; to?: unknown }>(
  ({ from, to }) => (dayOf(to) ?? '9') >= (dayOf(from) ?? ''),
  {
    path: ['to'],
    error: ({ input }) => `(${(input as { to?: unknown }).to}) must not be before from`,
  },
);

export function numberField(
  above: number,
  meta: FieldText & { unit?: NumberUnit | UnitByField },
  what = 'a number',
): z.ZodMiniNumber<number> {
  const { unit, ...texts } = meta;
  const error = `must be greater than ${above}`;
  const isAbove = limit<number>({ exclusiveMinimum: above }, (value) => value > above, error);
  const checks = [...isAbove, words(texts), ...(unit ? [withFormMeta({ unit })] : [])];
  return z.number(`must be ${what}`).check(...checks);
}

/**
 * An amount of money: the service and programs take it in cents, forms in units of currency, as
 * people think. The description leaves out the unit; the example is in cents.
 */
export function amountField(meta: FieldText & { examples: [number] }): z.ZodMiniNumber<number> {
  const what = `a number of cents, such as ${meta.examples[0]}`;
  const description = `${meta.description} ${inCentsNote}`;
  return numberField(0, { ...meta, description, unit: 'cents' }, what);
}

/** Ends the description of an amount. */
export const inCentsNote = 'In cents.';

export function integerField(
  minimum: number,
  maximum: number,
  meta: FieldText,
): z.ZodMiniNumber<number> {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  const isWhole = z.refine<number>(Number.isInteger, { error, abort: true });
  const limits = [...atLeast(minimum), ...atMost(maximum)];
  return z.number(error).check(isWhole, ...limits, words({ ...meta, type: 'integer' }));
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
export function jsonField(meta: FieldText): z.ZodMiniUnknown {
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
  (title: string, description?: string, unit?: NumberUnit): Maybe<Schema> =>
    z
      .nullish(make())
      .check(
        words({ title, ...(description && { description }) }),
        ...(unit ? [withFormMeta({ unit })] : []),
      );

export const textOutput = recordField(() => z.string());
/**
 * A value that this version of the package does not know. It equals no text that the compiler can
 * see, so that a misspelled value is an error: compare `String(request.status)` instead.
 */
export declare enum UnknownValue {
  /** Stands for any other text. */
  Other = 'a value that this version does not know',
}

/** A text of which the type names the known values. */
export const knownValueOutput = textOutput as unknown as <Value extends string>(
  ...texts: Parameters<typeof textOutput>
) => Maybe<z.ZodMiniType<Value | UnknownValue>>;
export const numberOutput = recordField(() => z.number());
/** zod's own type of them would only be bundled for this. */
export const booleanOutput = recordField(
  () => z.unknown().check(words({ type: 'boolean' })) as unknown as z.ZodMiniBoolean,
);
export const objectOutput = recordField(() => z.looseObject({}));
