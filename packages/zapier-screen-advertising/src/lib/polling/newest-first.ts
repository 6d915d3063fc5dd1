import { allFields } from '@screen-advertising/core';

/**
 * Newest first, as Zapier wants the records of a trigger, if the service sends when each was created.
 * Records of the same moment keep the order of the service, reversed if it lists the oldest first.
 */
export function newestFirst<Item extends object>(records: readonly Item[]): Item[] {
  const [first, last] = [records[0], records.at(-1)];
  const isOldestFirst = first && last && timeOf(first) < timeOf(last);
  const ordered = isOldestFirst ? records.toReversed() : records;
  return ordered.toSorted((a, b) => timeOf(b) - timeOf(a));
}

function timeOf(record: object): number {
  const { created_at } = allFields(record);
  const time = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}
