import * as z from 'zod/mini';
import {
  type FieldMeta,
  type FormMeta,
  getFormMeta,
  type NumberUnit,
  type UnitByField,
} from './field-types.ts';
import type { CatalogueEntry, Operation } from './operation.ts';

type Meta = { readonly [Name in keyof FieldMeta]?: FieldMeta[Name] | undefined } & FormMeta;

/** A field of a schema. JSON Schema says the same, but its makers are large to bundle. */
interface DescribedField {
  readonly name: string;
  readonly required: boolean;
  /** Without what makes it optional or nullable. */
  readonly schema: z.ZodMiniType;
  readonly meta: Meta;
}

/** The fields of an object, in its order; none of a record whose fields the caller names. */
function describeFields(schema: z.ZodMiniType): DescribedField[] {
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const shape = schema.shape as Readonly<Record<string, z.ZodMiniType>>;
  return Object.entries(shape).map(([name, field]) => ({
    name,
    required: !(field instanceof z.ZodMiniOptional),
    ...unwrapped(field),
  }));
}

function unwrapped(schema: z.ZodMiniType): Pick<DescribedField, 'schema' | 'meta'> {
  const isWrapper = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
  const own: Meta = { ...z.globalRegistry.get(schema), ...getFormMeta(schema) };
  if (!isWrapper) return { schema, meta: own };
  const inner = unwrapped(schema.def.innerType as z.ZodMiniType);
  return { ...inner, meta: { ...inner.meta, ...own } };
}

/** A field as people see it. */
interface LabeledField {
  /** The contract's own name, such as `discount_type`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/**
 * What a field takes: `choices` are several of its values, a `moment` may be a day. Some kinds
 * are only for settings of a platform.
 */
type FieldType =
  | ('text' | 'email' | 'code' | 'country' | 'coordinates')
  | ('number' | 'integer' | 'date' | 'moment')
  | ('toggle' | 'choice' | 'choices' | 'json');

/** One input field of an operation, in terms that every form understands. */
export interface FormField extends LabeledField {
  readonly type: FieldType;
  readonly required: boolean;
  /** The label of the choice to leave it out on purpose, if that widens what is found or given. */
  readonly widens?: string;
  /** What a number counts. */
  readonly unit?: NumberUnit | UnitByField;
  /** Where the request carries it. */
  readonly in: 'path' | 'query' | 'body';
  /** Values with their labels; only for `choice`. */
  readonly choices?: readonly { readonly value: string; readonly title: string }[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Written as a person would type it. */
  readonly example?: string;
}

/** An entry without a method and path sends several requests; its fields filter existing records. */
type Form = CatalogueEntry & Partial<Pick<Operation, 'method' | 'path'>>;

/** JSON Schema (2020-12) of the input of a catalogue entry, with titles, help and examples. */
export function inputJsonSchema(operation: CatalogueEntry): Record<string, unknown> {
  return z.toJSONSchema(operation.input, { io: 'input' }) as Record<string, unknown>;
}

/**
 * The input fields of a catalogue entry in the catalogue's order. Empty for an operation whose
 * fields the caller names (Create Landing Link).
 */
export function formFields(operation: Form): FormField[] {
  return describeFields(operation.input).map((field) => {
    const { minimum, maximum, examples, 'x-labels': labels, widens, unit } = field.meta;
    const choices = labels && choicesOf(labels);
    const example = examples?.length ? written(examples[0]) : undefined;
    return {
      ...labelsOf(field),
      type: typeOf(field),
      required: field.required,
      in: locationOf(operation, field.name),
      ...known({ widens, unit, choices, minimum, maximum, example }),
    };
  });
}

/** Without what is undefined. */
function known<Members extends object>(members: Members) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

/** The label and help of the input as a whole, for an operation whose fields the caller names. */
export function formText({ input }: CatalogueEntry): Pick<FormField, 'title' | 'description'> {
  const { title = '', description = '' } = z.globalRegistry.get(input) ?? {};
  return { title, description };
}

function typeOf({ schema, meta }: DescribedField): FormField['type'] {
  if (meta['x-labels']) return 'choice';
  if (meta.holds) return meta.holds;
  if (meta.format) return meta.format;
  const type = meta.type ?? schema.type;
  if (type === 'integer' || type === 'number') return type;
  return type === 'string' ? 'text' : 'json';
}

function locationOf({ path = '', method }: Form, name: string): FormField['in'] {
  if (path.includes(`{${name}}`)) return 'path';
  return method === 'POST' ? 'body' : 'query';
}

function choicesOf(labels: Readonly<Record<string, string>>): { value: string; title: string }[] {
  return Object.entries(labels).map(([value, title]) => ({ value, title }));
}

function written(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** One known field of the records of a catalogue entry; records may hold other fields too. */
export interface RecordField extends LabeledField {
  readonly type: 'text' | 'number' | 'boolean' | 'json';
  /** What a number counts. */
  readonly unit?: NumberUnit;
}

/** The known fields of the records of a catalogue entry, in the catalogue's order. */
export function recordFields(operation: CatalogueEntry): RecordField[] {
  return describeFields(operation.output).map((field) => ({
    ...labelsOf(field),
    type: recordTypeOf(field),
    ...(typeof field.meta.unit === 'string' && { unit: field.meta.unit }),
  }));
}

function labelsOf({ name, meta }: DescribedField): LabeledField {
  const { title = name, description = '' } = meta;
  return { name, title, description };
}

function recordTypeOf({ schema, meta }: DescribedField): RecordField['type'] {
  const type = meta.type ?? schema.type;
  if (type === 'string') return 'text';
  return type === 'number' || type === 'boolean' ? type : 'json';
}
