import type { Transaction } from 'kysely';
import type { RelayContext } from '../context.ts';
import { retryConflict } from '../log/database/retry-conflict.ts';
import type { Tables } from '../log/database/tables.ts';

/** Runs a transaction, and has senders and maintenance look for what it leaves to them. */
export async function change<Result>(
  { db, changed }: Pick<RelayContext, 'db' | 'changed'>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const result = await retryConflict(() => db.transaction().execute(work));
  changed();
  return result;
}
