import { hash } from 'node:crypto';
import type { WebhookEvent } from '@screen-advertising/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';

/** More values of one event are not searchable: a body of 1 MiB could have a hundred thousand. */
const mostValues = 500;

/** If more events have a value, walking back from the newest event soon finds a page of them. */
const mostRead = 2_000;

/**
 * Whether a row of `event` has this ID of the relay, or this value in its body. PostgreSQL expects
 * any unknown value in one of 200 events. Together with an order and a limit it would therefore walk
 * through all events, so the index is asked first, and alone.
 */
export async function foundBy(db: Kysely<Tables>, search: string): Promise<RawBuilder<boolean>> {
  const id = uuidOf('evt', search.trim().toLowerCase());
  if (id !== undefined) return sql`event.id = ${id}::uuid`;
  const hasValue = sql<boolean>`event.search_hashes @> ARRAY[${searchHash(search)}::bigint]`;
  const { rows } = await sql<{ id: string }>`
    WITH found AS MATERIALIZED (SELECT id FROM event WHERE ${hasValue})
    SELECT id FROM found LIMIT ${mostRead + 1}`.execute(db);
  return rows.length > mostRead
    ? hasValue
    : sql`event.id = ANY (${rows.map((row) => row.id)}::uuid[])`;
}

/** Of a whole value, in any case. A PostgreSQL `bigint`. */
function searchHash(text: string): string {
  const normal = text.trim().normalize('NFC').toLowerCase();
  return Buffer.from(hash('sha256', normal, 'hex'), 'hex')
    .readBigInt64BE()
    .toString();
}

/**
 * Hashes of the event's own ID and of every text and number in its data, as a PostgreSQL array. An
 * index of hashes finds any value without keeping a second copy of it.
 */
export function searchHashes({ id, data }: WebhookEvent): string {
  const hashes = new Set<string>();
  const left: unknown[] = [data, id];
  while (left.length > 0 && hashes.size < mostValues) {
    const value = left.pop();
    if (typeof value === 'string' || typeof value === 'number') {
      hashes.add(searchHash(String(value)));
    } else if (typeof value === 'object' && value !== null) {
      left.push(...Object.values(value).slice(0, mostValues));
    }
  }
  return `{${[...hashes].join(',')}}`;
}
