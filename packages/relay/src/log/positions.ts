import { type Kysely, type RawBuilder, sql } from 'kysely';
import { RelayError } from '../base/relay-error.ts';
import type { Tables } from '../base/tables.ts';

/** An event, by its place in the log. */
export interface EventKey {
  readonly source_number: number;
  readonly position: string;
}

/** The position of the newest event of a source, also once that was pruned; 0 without any. */
export async function newestEventPosition(db: Kysely<Tables>, source: number): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    SELECT coalesce(greatest(
      (SELECT position FROM event WHERE source_number = ${source}
        ORDER BY source_number DESC, position DESC LIMIT 1),
      (SELECT max(position) FROM pruned WHERE source_number = ${source})), 0) AS position`.execute(
    db,
  );
  return rows[0]?.position ?? '0';
}

/** The position of the last event of a source that arrived before a moment; 0 without any. */
export async function positionBefore(
  db: Kysely<Tables>,
  source: number,
  ms: number,
): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    SELECT ${sqlPositionBefore(sql.val(source), ms)} AS position`.execute(db);
  return rows[0]?.position ?? '0';
}

/**
 * `positionBefore` in a statement. All events up to it arrived before the moment. So each event is in
 * exactly one of two periods that meet, and a list can start in the middle of the log.
 */
export function sqlPositionBefore(source: RawBuilder<unknown>, ms: number): RawBuilder<string> {
  return sql<string>`coalesce((
    SELECT earlier.position FROM event AS earlier
    WHERE earlier.source_number = ${source} AND earlier.received_at < ${new Date(ms)}
    ORDER BY earlier.source_number DESC, earlier.received_at DESC, earlier.position DESC LIMIT 1
  ), 0)`;
}

/** The lower one of two. */
export function lowerPosition(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? one : other;
}

export function higherPosition(one: string, other: string): string {
  return BigInt(one) > BigInt(other) ? one : other;
}

/** A place in the order of a source's events, as it is in the database. */
interface EventPosition {
  readonly number: string;
  /** The end of the event's ID. Without it, no event is there any more. */
  readonly idEnd: string | undefined;
}

/**
 * A position as users see it. The end of the event's ID distinguishes a database that was restored
 * from a backup, which assigns the same numbers again.
 */
export function positionOf({ position, id }: { position: string; id: string }): string {
  return `${position}-${endOf(id)}`;
}

/** Matches the text of `positionOf`, or the number of a pruned event. */
const positionPattern = /^(\d{1,18})(?:-([0-9a-f]{8}))?$/;

/** Undefined for any other text. */
export function readPosition(position: string): EventPosition | undefined {
  const [, number, idEnd] = positionPattern.exec(position) ?? [];
  return number === undefined ? undefined : { number, idEnd };
}

/** The position after every stored event of a source. */
export async function newestPosition(db: Kysely<Tables>, source: number): Promise<string> {
  const event = await db
    .selectFrom('event')
    .select(['position', 'id'])
    .where('source_number', '=', source)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const pruned = await prunedPosition(db, source);
  return event && BigInt(event.position) > BigInt(pruned) ? positionOf(event) : pruned;
}

/**
 * Throws a RelayError (`position_gone`) if events after a position were pruned, or the database
 * does not know it.
 */
export async function checkPosition(
  db: Kysely<Tables>,
  source: number,
  { number, idEnd }: EventPosition,
  type: string | undefined,
): Promise<void> {
  const lost = await prunedPosition(db, source, type);
  if (BigInt(number) < BigInt(lost)) {
    throw new RelayError(
      'position_gone',
      'The relay has deleted events after this position, since they were older than it keeps them. Continue after the position in this response, with the events that it still has.',
      { position: lost },
    );
  }
  const event = await db
    .selectFrom('event')
    .select('id')
    .where('source_number', '=', source)
    .where('position', '=', number)
    .executeTakeFirst();
  const isKnown = event
    ? endOf(event.id) === idEnd
    : BigInt(number) <= BigInt(await prunedPosition(db, source));
  if (isKnown) return;
  throw new RelayError(
    'position_gone',
    'The relay does not know this position, perhaps because its database was restored from a backup. Continue after the position in this response, which is the newest.',
    { position: await newestPosition(db, source) },
  );
}

/** The highest position of all pruned events, or those of a type. */
async function prunedPosition(db: Kysely<Tables>, source: number, type?: string): Promise<string> {
  let query = db
    .selectFrom('pruned')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('source_number', '=', source);
  if (type !== undefined) query = query.where('type', '=', type);
  return (await query.executeTakeFirst())?.position ?? '0';
}

function endOf(id: string): string {
  return id.slice(-8);
}
