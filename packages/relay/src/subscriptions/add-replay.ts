import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReplayTable, Tables } from '../database/tables.ts';

/** Requests count up to this many of what they start. */
export const mostCounted = 2_000;

export type NewReplay = Omit<Selectable<ReplayTable>, 'number'>;

/**
 * Adds a replay, which the subscription's sender carries out. It replaces those of the same kind
 * within its bounds.
 */
export async function addReplay(db: Kysely<Tables>, replay: NewReplay): Promise<void> {
  const { kind, subscription_number, of_number, states, position, until } = replay;
  if (BigInt(position) >= BigInt(until)) return;
  await db
    .deleteFrom('replay')
    .where('subscription_number', '=', subscription_number)
    .where('of_number', '=', of_number)
    .where('kind', '=', kind)
    .where(sql<boolean>`states <@ ${states}::text[]`)
    .where('position', '>=', position)
    .where('until', '<=', until)
    .execute();
  await db.insertInto('replay').values(replay).execute();
}

/** How many deliveries a replay covers, counted up to a limit. */
export async function countDeliveries(
  db: Kysely<Tables>,
  { of_number, states, position, until }: NewReplay,
): Promise<{ readonly count: number; readonly hasMore: boolean }> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM unnest(${states}::text[]) AS wanted (state) CROSS JOIN LATERAL (
        SELECT FROM delivery
        WHERE subscription_number = ${of_number} AND delivery.state = wanted.state
          AND position > ${position} AND position <= ${until}
        ORDER BY subscription_number, delivery.state, position LIMIT ${mostCounted + 1}
      ) AS one LIMIT ${mostCounted + 1}
    ) AS found`.execute(db);
  const { count = 0 } = rows[0] ?? {};
  return { count: Math.min(count, mostCounted), hasMore: count > mostCounted };
}
