import * as z from 'zod/mini';
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

interface JsonProperty {
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
  'x-labels'?: Record<string, string>;
}

interface JsonObject {
  properties?: Record<string, JsonProperty>;
  required?: string[];
}

/** JSON Schema (2020-12) of the input of an operation or task, with titles, help and examples. */
export function inputJsonSchema(operation: Task): Record<string, unknown> {
  return z.toJSONSchema(operation.input, { io: 'input' }) as Record<string, unknown>;
}

/**
 * The input fields of an operation or task in the catalogue's order. Empty for an operation whose
 * fields the caller names (Create Landing Link).
 */
export function formFields(operation: Form): FormField[] {
  const { properties = {}, required = [] } = inputJsonSchema(operation) as JsonObject;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    title: property.title ?? name,
    description: property.description ?? '',
    type: typeOf(property),
    required: required.includes(name),
    in: locationOf(operation, name),
    ...(property.enum && { choices: choicesOf(property.enum, property['x-labels']) }),
    ...(property.minimum !== undefined && { minimum: property.minimum }),
    ...(property.maximum !== undefined && { maximum: property.maximum }),
    ...(property.examples?.length && { example: written(property.examples[0]) }),
  }));
}

function typeOf(property: JsonProperty): FormFieldType {
  if (property.enum) return 'choice';
  if (property.format === 'email') return 'email';
  if (property.format === 'date') return 'date';
  if (property.type === 'integer') return 'integer';
  if (property.type === 'number') return 'number';
  return property.type === 'string' ? 'text' : 'json';
}

function locationOf({ path = '', method }: Form, name: string): FormField['in'] {
  if (path.includes(`{${name}}`)) return 'path';
  return method === 'POST' ? 'body' : 'query';
}

function choicesOf(
  values: readonly string[],
  titles: Record<string, string> = {},
): { value: string; title: string }[] {
  return values.map((value) => ({ value, title: titles[value] ?? value }));
}

function written(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
