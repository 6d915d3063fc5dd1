import { campaignRequestOperations } from '../catalogue/campaign-requests.ts';
import type { Operation } from '../catalogue/operation.ts';
import { screenOperations } from '../catalogue/screens.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../create-client.ts';

/** Filters whose values only the records show: no list of them is published. */
export const knownFields = ['country', 'city', 'orientation', 'industry'] as const;

/** One of them. */
export type KnownField = (typeof knownFields)[number];

/** Enough to find every value, with ten requests at most. */
const maxRecords = 2000;

/** The list whose records have the field. */
export function listWithField(field: KnownField): Operation {
  return field === 'industry' ? campaignRequestOperations.list : screenOperations.list;
}

/** The values that the records of a list have in these fields, each once, sorted. */
export async function knownValues<Field extends KnownField>(
  client: Pick<Client, 'items'>,
  fields: readonly [Field, ...Field[]],
  options: CallOptions = {},
): Promise<Record<Field, string[]>> {
  const list = listWithField(fields[0]);
  const found = new Map(fields.map((field) => [field, new Set<string>()]));
  let read = 0;
  for await (const record of client.items(list, {}, options)) {
    for (const [field, values] of found) {
      const value = (record as Readonly<Record<string, unknown>>)[field];
      if (typeof value === 'string' && value.trim() !== '') values.add(value.trim());
    }
    read += 1;
    if (read === maxRecords) break;
  }
  const sorted = [...found].map(([field, values]) => [field, [...values].sort(byName)]);
  return Object.fromEntries(sorted) as Record<Field, string[]>;
}

const byName = (one: string, other: string): number => one.localeCompare(other, 'en');
