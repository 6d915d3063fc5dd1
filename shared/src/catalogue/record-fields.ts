import * as z from 'zod/mini';
import type { Task } from './operation.ts';

export type RecordFieldType = 'text' | 'number' | 'integer' | 'boolean' | 'json';

/** One known field of the records of an operation or task; records may hold other fields too. */
export interface RecordField {
  /** The contract's own name, such as `price_per_day_cents`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: RecordFieldType;
}

interface JsonProperty {
  title?: string;
  description?: string;
  type?: string | string[];
}

/** The known fields of the records of an operation or task, in the catalogue's order. */
export function recordFields(operation: Task): RecordField[] {
  const { properties = {} } = z.toJSONSchema(operation.output) as {
    properties?: Record<string, JsonProperty>;
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    title: property.title ?? name,
    description: property.description ?? '',
    type: typeOf(property),
  }));
}

/** JSON Schema writes a field that may be null as a pair of types. */
function typeOf({ type }: JsonProperty): RecordFieldType {
  const named = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  if (named === 'string') return 'text';
  return named === 'number' || named === 'integer' || named === 'boolean' ? named : 'json';
}
