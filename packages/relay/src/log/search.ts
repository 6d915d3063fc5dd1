import { hash } from 'node:crypto';
import { parseEvent, type WebhookEvent } from '@screen-advertising/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { uuidOf } from '../base/ids.ts';
import { sqlIf } from '../base/statements.ts';
import type { Tables } from '../base/tables.ts';

/** More values of one event are not searchable: a body of 1 MiB could have a hundred thousand. */
const maxValues = 500;

/** If more events have a value, walking back from the newest event soon finds a page of them. */
const maxRead = 2_000;

/** Which rows of `event` a search finds in some sources. */
interface Found {
  /** Numbers. Default: all. */
  readonly sources?: readonly number[];
  readonly is: RawBuilder<boolean>;
}

/**
 * Finds rows of `event` with this ID of the relay, or this value in their body. PostgreSQL expects
 * any unknown value in one of 200 events. Together with an order and a limit it would therefore walk
 * through all events, so the index is asked first, alone, and for each source.
 */
export async function findEventsByValue(
  db: Kysely<Tables>,
  search: string,
  source: number | undefined,
): Promise<readonly Found[]> {
  const id = uuidOf('evt', search.trim().toLowerCase());
  if (id !== undefined) return [{ is: sql`event.id = ${id}::uuid` }];
  const all = db.selectFrom('source').select('number');
  const numbers =
    source === undefined ? (await all.execute()).map(({ number }) => number) : [source];
  if (numbers.length === 0) return [{ is: sql`false` }];
  // Each with its hash as a constant: PostgreSQL knows the most frequent ones, and then walks through
  // the table until it has enough, in place of reading all of them from the index.
  const ofEach = numbers.map(
    (number) => sql`SELECT ${number}::integer AS number, ARRAY(
      WITH found AS MATERIALIZED (SELECT id FROM event WHERE ${hasValue(number, search)})
      SELECT id FROM found LIMIT ${maxRead + 1}
    ) AS ids`,
  );
  const { rows } = await sql<{ number: number; ids: string[] }>`
    ${sql.join(ofEach, sql` UNION ALL `)}`.execute(db);
  const few = rows.filter(({ ids }) => ids.length <= maxRead);
  const many = rows.filter(({ ids }) => ids.length > maxRead);
  return [
    {
      sources: few.map(({ number }) => number),
      is: sql`event.id = ANY (${few.flatMap(({ ids }) => ids)}::uuid[])`,
    },
    ...many.map(({ number }) => ({ sources: [number], is: hasValue(number, search) })),
  ];
}

/** So many of the newest events of each source are looked through for the start of a value. */
export const maxEventsSearchedByPrefix = 2_000;
/** At most so many of those that contain the text anywhere are parsed. */
const maxParsed = 200;

/**
 * Finds rows of the newest events that have a value in their body which begins with this text, in any
 * case. No index has the starts of values: PostgreSQL looks for the text in the bodies, of which few
 * are then parsed.
 */
export async function findEventsByPrefix(
  db: Kysely<Tables>,
  search: string,
  source: number | undefined,
): Promise<readonly Found[]> {
  const text = search.trim().normalize('NFC');
  // Characters that JSON writes as they are, and PostgreSQL folds in any locale.
  const [needle = ''] = /^[ !#-[\]-~]*/.exec(text) ?? [];
  const { rows } = await sql<{ id: string; body: Buffer }>`
    SELECT newest.id, newest.body FROM source CROSS JOIN LATERAL (
      SELECT id, body, position FROM event
      WHERE source_number = source.number AND body IS NOT NULL
      ORDER BY source_number DESC, position DESC LIMIT ${maxEventsSearchedByPrefix}
    ) AS newest
    WHERE strpos(lower(encode(newest.body, 'escape')), lower(${needle})) > 0
      ${sqlIf(source, (number) => sql`AND source.number = ${number}`)}
    ORDER BY newest.position DESC LIMIT ${maxParsed}`.execute(db);
  const start = text.toLowerCase();
  const begins = (value: string) => value.normalize('NFC').toLowerCase().startsWith(start);
  const ids = rows.flatMap(({ id, body }) =>
    [...searchableValuesOf(parseEvent(body))].some(begins) ? [id] : [],
  );
  return [{ is: sql`event.id = ANY (${ids}::uuid[])` }];
}

/** Whether a row of `event` of this source has this value in its body. */
function hasValue(source: number, search: string): RawBuilder<boolean> {
  return sql`event.search_hashes @> ARRAY[${searchHash(source, search)}::bigint]`;
}

/**
 * Hashes a whole value, in any case, to a PostgreSQL `bigint`. It differs from source to source, so that the
 * index keeps them apart.
 */
export function searchHash(source: number, text: string): string {
  return hashOf(`${source} ${text.trim().normalize('NFC').toLowerCase()}`);
}

/** In place of the values of an event that has too many. No value has the same hash. */
export function tooManyValuesHash(source: number): string {
  return hashOf(String(source));
}

function hashOf(text: string): string {
  return Buffer.from(hash('sha256', text, 'hex'), 'hex')
    .readBigInt64BE()
    .toString();
}

/**
 * Hashes of the event's own ID and of every text and number in its data, as a PostgreSQL array. An
 * index of hashes finds any value without keeping a second copy of it.
 */
export function searchHashes(source: number, event: WebhookEvent): string {
  const hashes = new Set<string>();
  let count = 0;
  for (const value of searchableValuesOf(event)) {
    count += 1;
    hashes.add(count < maxValues ? searchHash(source, value) : tooManyValuesHash(source));
    if (count === maxValues) break;
  }
  return `{${[...hashes].join(',')}}`;
}

/** Every text and number in it. */
export function* searchableValuesOf({ id, data }: WebhookEvent): Generator<string> {
  const left: unknown[] = [data, id];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' || typeof value === 'number') yield String(value);
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) left.push(inner);
    }
  }
}
