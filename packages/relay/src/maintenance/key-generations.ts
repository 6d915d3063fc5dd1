import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { attach } from '../database/partitions.ts';
import { withBriefLocks } from '../database/with-brief-locks.ts';

/** New generations while events stay. Each is one more place to look for a key. */
const perRetention = 3;

/**
 * Starts a generation of the keys that detect duplicates when the latest one is old, and drops those
 * whose keys have all outlived their events. Takes the table to itself, so no statement that stores
 * events can miss a key that another one adds to the previous generation.
 */
export async function renewKeyGenerations(
  { db, clock }: RelayContext,
  retentionMs: number,
): Promise<void> {
  const now = clock.now();
  const read = () =>
    db.selectFrom('key_generation').selectAll().orderBy('started_at', 'desc').execute();
  const isDue = (latest: { started_at: Date } | undefined) =>
    latest === undefined || latest.started_at.getTime() <= now - retentionMs / perRetention;
  const generations = await read();
  // A generation ended when the next one started.
  const old = generations
    .slice(1)
    .filter((_, nth) => Number(generations[nth]?.started_at) <= now - retentionMs);
  if (!isDue(generations[0]) && old.length === 0) return;
  await withBriefLocks(db, async (transaction) => {
    await sql`LOCK TABLE event_key IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    const [latest] = await transaction
      .selectFrom('key_generation')
      .selectAll()
      .orderBy('started_at', 'desc')
      .limit(1)
      .execute();
    if (isDue(latest)) {
      const startedAt = new Date(now);
      const bounds = `IN ('${startedAt.toISOString()}')`;
      await attach(transaction, 'event_key', tableOf(startedAt), bounds);
      await transaction.insertInto('key_generation').values({ started_at: startedAt }).execute();
    }
    for (const { started_at } of old) {
      await sql`DROP TABLE IF EXISTS ${sql.table(tableOf(started_at))}`.execute(transaction);
      await transaction.deleteFrom('key_generation').where('started_at', '=', started_at).execute();
    }
  });
}

function tableOf(startedAt: Date): string {
  return `event_key_${startedAt.getTime()}`;
}
