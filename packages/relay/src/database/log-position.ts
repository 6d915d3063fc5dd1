import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** An event, by its place in the log. */
export interface EventKey {
  readonly source_number: number;
  readonly position: string;
}

/** The position of the newest event of a source; 0 without any. */
export async function endOfLog(db: Kysely<Tables>, source: number): Promise<string> {
  const newest = await db
    .selectFrom('event')
    .select('position')
    .where('source_number', '=', source)
    .orderBy('source_number', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.position ?? '0';
}

/** The position of the last event of a source that arrived before a moment; 0 without any. */
export async function positionBefore(
  db: Kysely<Tables>,
  source: number,
  ms: number,
): Promise<string> {
  const last = await db
    .selectFrom('event')
    .select('position')
    .where('source_number', '=', source)
    .where('received_at', '<', new Date(ms))
    .orderBy('source_number', 'desc')
    .orderBy('received_at', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.position ?? '0';
}

/** The lower one of two. */
export function lowerPosition(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? one : other;
}
