import { type DescribedField, describeFields } from './describe-fields.ts';
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

/** The known fields of the records of an operation or task, in the catalogue's order. */
export function recordFields(operation: Task): RecordField[] {
  return describeFields(operation.output).map((field) => ({
    name: field.name,
    title: field.title ?? field.name,
    description: field.description ?? '',
    type: typeOf(field),
  }));
}

function typeOf({ type, format }: DescribedField): RecordFieldType {
  if (type === 'string') return 'text';
  if (format === 'safeint') return 'integer';
  return type === 'number' || type === 'boolean' ? type : 'json';
}
