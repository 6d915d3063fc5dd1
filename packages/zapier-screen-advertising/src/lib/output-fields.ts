import { type Operation, type RecordField, recordFields } from '@screen-advertising/core';
import type { PlainOutputField } from 'zapier-platform-core';

const types: Partial<Record<RecordField['type'], NonNullable<PlainOutputField['type']>>> = {
  text: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
};

/**
 * The known fields of an operation's records. Records with the same values in the fields of
 * `primary` count as the same one.
 */
export function outputFields(operation: Operation, primary: readonly string[]): PlainOutputField[] {
  return recordFields(operation).map((field) => ({
    ...outputField(field),
    ...(primary.includes(field.name) && { primary: true }),
  }));
}

function outputField({ name, title, type }: RecordField): PlainOutputField {
  if (type === 'json') return { key: name, label: title, dict: true };
  return {
    key: name,
    label: title,
    type: isTimestamp(name) ? 'datetime' : (types[type] ?? 'string'),
  };
}

/** The contract names its timestamps alike: `created_at`, `registered_at`. */
function isTimestamp(name: string): boolean {
  return name.endsWith('_at');
}
