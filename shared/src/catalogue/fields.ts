import * as z from 'zod/mini';
import type { Operation, Task } from './operation.ts';

/** What a schema says of one of its fields. Like JSON Schema, whose makers are large to bundle. */
interface DescribedField {
  readonly name: string;
  readonly required: boolean;
  readonly title?: string;
  readonly description?: string;
  /** As zod names it: `string`, `number`, `boolean`, `enum`, and so on. */
  readonly type: string;
  /** As zod names it: `email`, `date`, `safeint`. */
  readonly format?: string | undefined;
  readonly values: readonly string[];
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly examples?: readonly unknown[];
  readonly 'x-labels'?: Readonly<Record<string, string>>;
}

interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly checks?: readonly z.core.$ZodCheck[];
  /** The schema that an optional one wraps. */
  readonly innerType?: z.ZodMiniType;
}

/** The fields of an object, in its order; none of a record whose fields the caller names. */
function describeFields(schema: z.ZodMiniType): DescribedField[] {
  return Object.entries(definitionOf(schema).shape ?? {}).map(([name, field]) => ({
    name,
    required: field._zod.optin === undefined,
    ...describe(field),
  }));
}

type Description = Omit<DescribedField, 'name' | 'required'>;

/** What a schema says of itself, through everything that wraps it. */
function describe(schema: z.ZodMiniType): Description {
  const { type, format, entries = {}, checks, innerType } = definitionOf(schema);
  const own: Description = innerType
    ? describe(innerType)
    : {
        type,
        format,
        values: Object.values(entries),
        minimum: limitOf('greater_than', checks),
        maximum: limitOf('less_than', checks),
      };
  return { ...own, ...(z.globalRegistry.get(schema) as object) };
}

function definitionOf(schema: z.ZodMiniType): Definition {
  return schema._zod.def as unknown as Definition;
}

function limitOf(check: string, checks: Definition['checks'] = []): number | undefined {
  const definitions = checks.map(
    ({ _zod }) => _zod.def as { check: string; value?: number; inclusive?: boolean },
  );
  return definitions.find((one) => one.check === check && one.inclusive)?.value;
}

/** A field as people see it. */
interface LabeledField {
  /** The contract's own name, such as `discount_type`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** One input field of an operation, in terms that every form understands. */
export interface FormField extends LabeledField {
  readonly type: 'text' | 'email' | 'date' | 'number' | 'integer' | 'choice' | 'json';
  readonly required: boolean;
  /** Where the request carries it. */
  readonly in: 'path' | 'query' | 'body';
  /** Values with their labels; only for `choice`. */
  readonly choices?: readonly { readonly value: string; readonly title: string }[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Written as a person would type it. */
  readonly example?: string;
}

/** A task without a method and path sends several requests; its fields filter existing records. */
type Form = Task & Partial<Pick<Operation, 'method' | 'path'>>;

/** JSON Schema (2020-12) of the input of an operation or task, with titles, help and examples. */
export function inputJsonSchema(operation: Task): Record<string, unknown> {
  return z.toJSONSchema(operation.input, { io: 'input' }) as Record<string, unknown>;
}

/**
 * The input fields of an operation or task in the catalogue's order. Empty for an operation whose
 * fields the caller names (Create Landing Link).
 */
export function formFields(operation: Form): FormField[] {
  return describeFields(operation.input).map((field) => ({
    ...labelsOf(field),
    type: typeOf(field),
    required: field.required,
    in: locationOf(operation, field.name),
    ...(field.type === 'enum' && { choices: choicesOf(field.values, field['x-labels']) }),
    ...(field.minimum !== undefined && { minimum: field.minimum }),
    ...(field.maximum !== undefined && { maximum: field.maximum }),
    ...(field.examples?.length && { example: written(field.examples[0]) }),
  }));
}

/** The label and help of the input as a whole, for an operation whose fields the caller names. */
export function formText({ input }: Task): Pick<FormField, 'title' | 'description'> {
  const { title = '', description = '' } = describe(input);
  return { title, description };
}

function typeOf({ type, format }: DescribedField): FormField['type'] {
  if (type === 'enum') return 'choice';
  if (format === 'email' || format === 'date') return format;
  if (type === 'number') return format === 'safeint' ? 'integer' : 'number';
  return type === 'string' ? 'text' : 'json';
}

function locationOf({ path = '', method }: Form, name: string): FormField['in'] {
  if (path.includes(`{${name}}`)) return 'path';
  return method === 'POST' ? 'body' : 'query';
}

function choicesOf(
  values: readonly string[],
  titles: Readonly<Record<string, string>> = {},
): { value: string; title: string }[] {
  return values.map((value) => ({ value, title: titles[value] ?? value }));
}

function written(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** One known field of the records of an operation or task; records may hold other fields too. */
export interface RecordField extends LabeledField {
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'json';
}

/** The known fields of the records of an operation or task, in the catalogue's order. */
export function recordFields(operation: Task): RecordField[] {
  return describeFields(operation.output).map((field) => ({
    ...labelsOf(field),
    type: recordTypeOf(field),
  }));
}

function labelsOf({ name, title = name, description = '' }: DescribedField): LabeledField {
  return { name, title, description };
}

function recordTypeOf({ type, format }: DescribedField): RecordField['type'] {
  if (type === 'string') return 'text';
  if (format === 'safeint') return 'integer';
  return type === 'number' || type === 'boolean' ? type : 'json';
}
