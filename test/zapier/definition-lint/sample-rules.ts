import { type OutputField, type PlacedPart, visiblePartsOf } from './definition.ts';
import type { Rule } from './rule.ts';

const isoWithZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** `data__code` is the member `code` of `data`. */
function sampleOf({ operation: { sample } }: PlacedPart, key: string): unknown {
  return key
    .split('__')
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      sample,
    );
}

function isOfType({ type, dict }: OutputField, value: unknown): boolean {
  if (dict) return typeof value === 'object';
  if (type === 'number') return typeof value === 'number';
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string';
}

function wrongFields(
  part: PlacedPart,
  isWrong: (field: OutputField, value: unknown) => boolean,
): string[] {
  return (part.operation.outputFields ?? [])
    .filter((field) => isWrong(field, sampleOf(part, field.key)))
    .map(({ key }) => `${part.place}.${key}`);
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** The fields that make a record the same one for Zapier. Only polling needs any; by default it is `id`. */
function keysOf({ operation: { type, outputFields = [] } }: PlacedPart): string[] {
  const keys = outputFields.filter(({ primary }) => primary).map(({ key }) => key);
  return keys.length === 0 && type === 'polling' ? ['id'] : keys;
}

export const sampleRules: readonly Rule[] = [
  {
    code: 'D010',
    demand: 'The sample holds the fields that tell records apart.',
    check: ({ definition }) =>
      visiblePartsOf(definition).flatMap((part) =>
        keysOf(part)
          .filter((key) => isMissing(sampleOf(part, key)))
          .map((key) => `${part.place}.${key}`),
      ),
  },
  {
    code: 'D012',
    demand: 'There is a sample.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter(({ operation }) => Object.keys(operation.sample ?? {}).length === 0)
        .map(({ place }) => place),
  },
  {
    code: 'D023',
    demand: 'Times in samples are written in ISO 8601 with a zone.',
    check: ({ definition }) =>
      visiblePartsOf(definition).flatMap((part) =>
        wrongFields(
          part,
          ({ type }, value) =>
            type === 'datetime' && !isMissing(value) && !isoWithZone.test(String(value)),
        ),
      ),
  },
  {
    code: 'D024',
    demand: 'Values in samples are of the type that the output field names.',
    check: ({ definition }) =>
      visiblePartsOf(definition).flatMap((part) =>
        wrongFields(part, (field, value) =>
          isMissing(value) ? field.required === true : !isOfType(field, value),
        ),
      ),
  },
];
