import type { Bundle, PlainOutputField, ZObject } from 'zapier-platform-core';
import { isTimestamp, labelOf, withUnit } from './field-names.ts';
import { isUnsent } from './refresh-auth.ts';

type FieldsOf = (z: ZObject, bundle: Bundle) => Promise<PlainOutputField[]>;
type ReadExample = (z: ZObject, bundle: Bundle) => Promise<object | undefined>;

/**
 * The known fields, and the others that a record of the service has now: those can be mapped before
 * a step is tested. Where no record can be read, the known ones are all.
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
      // Zapier fetches another token and comes again.
      if (isUnsent(error)) throw error;
      return [];
    }
  };
  return [...known, find];
}

/** A form has no use for more, nor for what lies deeper. */
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

/** The service is asked for records; what else it may send has no fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
