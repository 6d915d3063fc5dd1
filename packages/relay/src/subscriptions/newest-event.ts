import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Where a replay ends: events that arrive during it are delivered anyway. */
export async function newestEvent(db: Kysely<Tables>, source: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('event')
    .select('id')
    .where('source_number', '=', source)
    .orderBy('source_number', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
