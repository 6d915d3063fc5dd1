import type { OutputField, PlacedPart } from './definition.ts';

export const isoWithZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** `data__code` is the member `code` of `data`. */
export function sampleOf({ operation: { sample } }: PlacedPart, key: string): unknown {
  return key
    .split('__')
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      sample,
    );
}

export function isOfType({ type, dict }: OutputField, value: unknown): boolean {
  if (dict) return typeof value === 'object';
  if (type === 'number') return typeof value === 'number';
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string';
}

export function wrongFields(
  part: PlacedPart,
  isWrong: (field: OutputField, value: unknown) => boolean,
): string[] {
  return (part.operation.outputFields ?? [])
    .filter((field) => isWrong(field, sampleOf(part, field.key)))
    .map(({ key }) => `${part.place}.${key}`);
}

/** The fields that make a record the same one for Zapier. Only polling needs any; default: `id`. */
export function keysOf({ operation: { type, outputFields = [] } }: PlacedPart): string[] {
  const keys = outputFields.filter(({ primary }) => primary).map(({ key }) => key);
  return keys.length === 0 && type === 'polling' ? ['id'] : keys;
}
