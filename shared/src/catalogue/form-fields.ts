import * as z from 'zod/mini';
import { type DescribedField, describe, describeFields } from './describe-fields.ts';
import type { Operation, Task } from './operation.ts';

export type FormFieldType = 'text' | 'email' | 'date' | 'number' | 'integer' | 'choice' | 'json';

/** One input field of an operation, in terms that every form understands. */
export interface FormField {
  /** The contract's own name, such as `discount_type`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: FormFieldType;
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
    name: field.name,
    title: field.title ?? field.name,
    description: field.description ?? '',
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

function typeOf({ type, format }: DescribedField): FormFieldType {
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
