import { sql } from 'kysely';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import { sqlIf } from '../database/sql-if.ts';
import { RelayError } from '../relay-error.ts';
import { checkPosition, newestPosition, positionOf, readPosition } from './event-position.ts';
import { eventRecord, type StoredEvent } from './event-rows.ts';
import { type eventQuery, newest } from './input-schemas.ts';
import type { Page } from './page.ts';
import type { EventRecord } from './response-schemas.ts';

interface EventsAfter extends Page<EventRecord> {
  readonly pagination: Page<EventRecord>['pagination'] & { readonly position: string };
}

/** Events of other types in between may be many more than those of the type. */
const mostRead = 2_000;

/**
 * A page of the events of a source after a position, in the order of commits, which no clock
 * changes. A page may have fewer events than the limit, and still be followed by others.
 */
export async function listEventsAfter(
  { db }: RelayContext,
  source: number | undefined,
  { limit, cursor, type, search, from, to, after = '' }: z.output<typeof eventQuery>,
): Promise<EventsAfter> {
  if (source === undefined) {
    throw new RelayError('invalid_parameter', 'after: a position belongs to a source. Choose one.');
  }
  if ([from, to, search].some((filter) => filter !== undefined)) {
    throw new RelayError('invalid_parameter', 'after: leave out from, to and search.');
  }
  const start = cursor ?? after;
  if (start === newest) return pageOf([], await newestPosition(db, source), false);
  const position = readPosition(start);
  if (position === undefined) {
    const name = cursor === undefined ? 'after' : 'cursor';
    throw new RelayError(
      'invalid_parameter',
      `${name}: use a position from the relay, unchanged, or ${newest}.`,
    );
  }
  const most = type === undefined ? limit : mostRead;
  const isListed = sql`body IS NOT NULL ${sqlIf(type, (is) => sql`AND type = ${is}`)}`;
  const { rows } = await sql<StoredEvent>`
    SELECT id, position, type, received_at,
      CASE WHEN ${isListed} AND nth <= ${limit} THEN body END AS body
    FROM (
      SELECT *, count(*) FILTER (WHERE ${isListed}) OVER (ORDER BY position) AS nth
      FROM (
        SELECT * FROM event
        WHERE source_number = ${source} AND position > ${position.number}
        ORDER BY position LIMIT ${most + 1}
      ) AS following
    ) AS numbered
    ORDER BY position`.execute(db);
  // Afterwards: what was pruned before the rows were read must not go unnoticed.
  await checkPosition(db, source, position, type);
  const wanted = rows.flatMap((row, index) => (row.body === null ? [] : index));
  const end = Math.min(wanted[limit - 1] ?? rows.length, most - 1) + 1;
  const read = rows.slice(0, end);
  const last = read.at(-1);
  return pageOf(read, last ? positionOf(last) : start, rows.length > end);
}

function pageOf(rows: readonly StoredEvent[], position: string, hasMore: boolean): EventsAfter {
  return {
    data: rows.filter(({ body }) => body !== null).map(eventRecord),
    pagination: { cursor: hasMore ? position : null, has_more: hasMore, position },
  };
}
