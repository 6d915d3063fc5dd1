import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../base/tables.ts';

/** An event, by its place in the log. */
export interface EventKey {
  readonly source_number: number;
  readonly position: string;
}

/** The position of the newest event of a source, also once that was pruned; 0 without any. */
export async function endOfLog(db: Kysely<Tables>, source: number): Promise<string> {
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
 * The same in a statement. What the log has up to it arrived before the moment. So each event is in
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
