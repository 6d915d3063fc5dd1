import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * How long each try waits for a lock, in milliseconds. Statements that come later wait behind it, so
 * the first ones are short. The last is below the time after which PostgreSQL looks for deadlocks, and
 * might end the other statement.
 */
const lockTimeouts = [50, 50, 100, 200, 400, 800, 800];
/** It did not get a lock, or the rows have changed that the new partition must not have. */
const retried = ['55P03', '40P01', '23514'];

/**
 * Runs a transaction that needs tables to itself, such as to add or drop a partition. If others use
 * them, it lets them go first and retries. Rejects with PostgreSQL's error if they never pause.
 */
export async function withBriefLocks<Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let nth = 0; ; nth += 1) {
    const timeout = lockTimeouts[nth] ?? 0;
    try {
      return await db.transaction().execute(async (transaction) => {
        await sql.raw(`SET LOCAL lock_timeout = ${timeout}`).execute(transaction);
        return work(transaction);
      });
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!retried.includes(code) || nth === lockTimeouts.length - 1) throw error;
      await wait(timeout);
    }
  }
}
