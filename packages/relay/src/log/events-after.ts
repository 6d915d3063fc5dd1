import { sql } from 'kysely';
import { defaultLimit, type EventRecord, type Page } from '../base/contract.ts';
import { RelayError } from '../base/relay-error.ts';
import { sqlIf } from '../base/statements.ts';
import type { RelayContext } from '../context.ts';
import { checkPosition, newestPosition, positionOf, readPosition } from './event-position.ts';
import { type EventsInput, eventRecord, type StoredEvent } from './event-rows.ts';

/** The position after every stored event. */
export const newest = 'newest';

interface EventsAfter extends Page<EventRecord> {
  readonly pagination: Page<EventRecord>['pagination'] & { readonly position: string };
}

/** Events of other types in between may be many more than those of the type. */
const maxRead = 2_000;

/** An event that was not erased. */
export interface WholeEvent extends StoredEvent {
  readonly body: Buffer;
}

/** Events after a position, in the order of commits. */
interface Following {
  readonly events: readonly WholeEvent[];
  /** Where the next ones start. */
  readonly position: string;
  readonly hasMore: boolean;
}

/**
 * A page of the events of a source after a position, in the order of commits, which no clock
 * changes. A page may have fewer events than the limit, and still be followed by others.
 */
export async function listEventsAfter(
  context: RelayContext,
  source: number | undefined,
  { limit = defaultLimit, cursor, type, search, from, to, after = '' }: EventsInput,
): Promise<EventsAfter> {
  if (source === undefined) {
    throw new RelayError('invalid_parameter', 'after: a position belongs to a source. Choose one.');
  }
  if ([from, to, search].some((filter) => filter !== undefined)) {
    throw new RelayError('invalid_parameter', 'after: leave out from, to and search.');
  }
  const name = cursor === undefined ? 'after' : 'cursor';
  const start = cursor ?? after;
  const following = await readEventsAfter(context, source, { limit, type, start, name });
  const { events, position, hasMore } = following;
  return {
    data: events.map(eventRecord),
    pagination: { cursor: hasMore ? position : null, has_more: hasMore, position },
  };
}

interface Reading {
  readonly limit: number;
  readonly type: string | undefined;
  /** A position, or `newest`. */
  readonly start: string;
  /** Of the parameter that has it, for the error. */
  readonly name: string;
}

export async function readEventsAfter(
  { db }: RelayContext,
  source: number,
  { limit, type, start, name }: Reading,
): Promise<Following> {
  if (start === newest) return followingTo(await newestPosition(db, source), [], false);
  const position = readPosition(start);
  if (position === undefined) {
    throw new RelayError(
      'invalid_parameter',
      `${name} must be a position from the relay, unchanged, or ${newest}.`,
    );
  }
  const most = type === undefined ? limit : maxRead;
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
  return followingTo(last ? positionOf(last) : start, read, rows.length > end);
}

function followingTo(position: string, rows: readonly StoredEvent[], hasMore: boolean): Following {
  const events = rows.flatMap(({ body, ...event }) => (body ? { ...event, body } : []));
  return { events, position, hasMore };
}
