import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import { isTimestamp, labelOf, withUnit } from './field-names.ts';
import { isUnsent } from './refresh-auth.ts';

type FieldsOf = (z: ZObject, bundle: Bundle) => Promise<PlainOutputField[]>;
type ReadExample = (z: ZObject, bundle: Bundle) => Promise<object | undefined>;

/**
 * The known fields, and any others in a record that the service has now, so that users can map
 * those before they test a step. If no record can be read, only the known ones.
 */
export function withFoundFields(
  known: readonly PlainOutputField[],
  readExample: ReadExample,
): (PlainOutputField | FieldsOf)[] {
  const keys = new Set(known.map(({ key }) => key));
  const find: FieldsOf = async (z, bundle) => {
    try {
      const example = await readExample(z, bundle);
      return fieldsOf(isRecord(example) ? example : {}, []).filter(({ key }) => !keys.has(key));
    } catch (error) {
      // Zapier fetches another token and calls again.
      if (isUnsent(error)) throw error;
      return [];
    }
  };
  return [...known, find];
}

/** A form cannot use more fields, or deeper ones. */
const mostFields = 100;
const deepest = 4;

function fieldsOf(record: object, path: readonly string[]): PlainOutputField[] {
  return Object.entries(record)
    .flatMap(([name, value]) => fieldOf([...path, name], value))
    .slice(0, mostFields);
}

/** Zapier finds the member `b` of `a` under the key `a__b`. */
function fieldOf(path: readonly string[], value: unknown): PlainOutputField[] {
  if (path.includes('') || path.length > deepest) return [];
  const name = path.at(-1) ?? '';
  const key = path.join('__');
  const label = withUnit(path.map(labelOf).join(' '), name);
  if (Array.isArray(value)) return [{ key, label, list: true }];
  if (isRecord(value)) return fieldsOf(value, path);
  return [{ key, label, type: typeOf(name, value) }];
}

function typeOf(name: string, value: unknown): NonNullable<PlainOutputField['type']> {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  const isTime = isTimestamp(name) && !Number.isNaN(Date.parse(String(value)));
  return isTime ? 'datetime' : 'string';
}

/** The operation returns records; any other response has no fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
