import * as z from 'zod/mini';
import { type FieldText, integerField } from '../../catalogue/field-types.ts';

export const fieldMeta = (text: Partial<FieldText>) => z.meta(text as z.core.GlobalMeta);

/** A text of up to so many characters. PostgreSQL keeps no U+0000. */
export function sizedText(most: number, error: string, text: Partial<FieldText> = {}) {
  const fits = z.refine<string>(
    (value) => value !== '' && value.length <= most && !value.includes('\0'),
    error,
  );
  const limits = { minLength: 1, maxLength: most, pattern: '^[^\\0]*$' };
  return z.string(error).check(fits, fieldMeta({ ...limits, ...text }));
}

/** The ID of a record, which the relay looks for. */
export function idField(prefix: string, description = '') {
  return sizedText(
    100,
    `must be the ID of one, such as ${prefix}_0190…`,
    description ? { description } : {},
  );
}

/** A timestamp with its time zone. */
function timestamp(description: string) {
  const error = 'must be a timestamp such as 2027-03-01T09:00:00Z';
  const isOne = z.refine<string>(
    (value) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(Date.parse(value)) &&
      new Date(`${value.slice(0, 10)}Z`).getUTCDate() === Number(value.slice(8, 10)),
    error,
  );
  const text = { description, examples: ['2027-03-01T09:00:00Z'], format: 'date-time' };
  return z.optional(z.string(error).check(isOne, fieldMeta(text)));
}

/** The name of an event. */
export const eventTypeField = (text: Partial<FieldText> = {}) =>
  sizedText(
    200,
    'must be the name of an event, such as campaign.paid, of up to 200 characters',
    text,
  );

/** A choice of these. */
export function choiceOfValues<const Values extends readonly string[]>(
  values: Values,
  description?: string,
) {
  const error = `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return z.enum(values, error).check(fieldMeta(description === undefined ? {} : { description }));
}

/** The states of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'ignored', 'dead'] as const;

/** Which part of a list to return. */
export const pageFields = {
  limit: z.optional(
    integerField(1, 200, {
      title: 'Limit',
      description: 'Records in a page, 1 to 200. Default: 50.',
    }),
  ),
  cursor: z.optional(
    sizedText(200, 'must be the cursor of the previous page, unchanged', {
      title: 'Cursor',
      description: 'Where to continue: the cursor from the previous page.',
    }),
  ),
};

/** When events arrived. */
export const periodFields = {
  from: timestamp('Only events that arrived at this time or later, with its time zone.'),
  to: timestamp('Only events that arrived before this time, with its time zone.'),
};

/** How many deliveries to a subscription run at once. */
export const maxConcurrencyField = z.optional(
  integerField(1, 16, {
    title: 'Concurrency',
    description: 'The most deliveries at once, 1 to 16. Default: 4.',
  }),
);

export type SchemasByField = Readonly<Record<string, z.ZodMiniType>>;

export const describedSchema = <Schema extends z.ZodMiniType>(
  description: string,
  schema: Schema,
) => schema.check(fieldMeta({ description }));
export const objectSchema = <Fields extends SchemasByField>(description: string, fields: Fields) =>
  describedSchema(description, z.object(fields));
export const textSchema = (description: string) => describedSchema(description, z.string());
export const textOrNullSchema = (description: string) =>
  describedSchema(description, z.nullable(z.string()));
export const booleanSchema = (description: string) => describedSchema(description, z.boolean());
export const countSchema = (description: string) => describedSchema(description, z.int());
export const timestampSchema = (description: string, title = '') =>
  z.iso.datetime().check(fieldMeta({ ...(title && { title }), description }));
export const patternSchema = (pattern: string, description: string, title = '') =>
  z
    .string()
    .check(z.regex(new RegExp(pattern)), fieldMeta({ ...(title && { title }), description }));
export const idSchema = (prefix: string, what: string, title = '') =>
  patternSchema(`^${prefix}_[0-9a-f]{32}$`, `ID of ${what}`, title);
