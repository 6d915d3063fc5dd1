import type { PlainOutputField, Search } from 'zapier-platform-core';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The record with every field that its step declares: the specification shows few fields of most
 * records, and a field that is offered in the editor must not be missing in a run. Null counts as
 * empty in Zapier.
 */
export function complete(record: object, declared: readonly PlainOutputField[]): object {
  return declared.reduce<Fields>((known, { key }) => withField(known, key.split('__')), {
    ...record,
  });
}

function withField(record: Fields, [name = '', ...inner]: readonly string[]): Fields {
  const value = record[name];
  if (inner.length === 0) return value === undefined ? { ...record, [name]: null } : record;
  const isEmpty = value === undefined || value === null;
  if (!isEmpty && (typeof value !== 'object' || Array.isArray(value))) return record;
  return { ...record, [name]: withField((value ?? {}) as Fields, inner) };
}

/** The same for whatever a step returns: a record, a list, or a page of one. */
export function completed<Result>(
  result: Result,
  outputFields: NonNullable<Search['operation']['outputFields']>,
): Result {
  const declared = outputFields.filter((field) => typeof field !== 'function');
  const all = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((record: object) => complete(record, declared));
    const page = value as { results?: unknown };
    if (Array.isArray(page.results)) return { ...page, results: all(page.results) };
    return complete(page, declared);
  };
  return all(result) as Result;
}
