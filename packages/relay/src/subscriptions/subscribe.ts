import { type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { uuidAt } from '../database/uuid.ts';
import { resume } from './resume.ts';
import { takeOver } from './take-over.ts';

export interface Subscribing {
  readonly source: number;
  readonly token: number;
  readonly targetUrl: string;
  readonly events: readonly string[];
  readonly name?: string | undefined;
  /** ID of the subscription that this one replaces. An unknown ID is ignored. */
  readonly replaces?: string | undefined;
}

/**
 * Keeps one subscription per token, target and set of events, however many requests arrive at once.
 * Switches it on if it is off. `isNew` says whether it was created.
 */
export async function subscribe(
  { db, clock, wake }: RelayContext,
  { source, token, targetUrl, events, name, replaces }: Subscribing,
): Promise<{ row: Selectable<SubscriptionTable>; isNew: boolean }> {
  const now = clock.now();
  const id = uuidAt(now);
  const subscribed = await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('subscription')
      .values({
        id,
        source_number: source,
        token_number: token,
        target_url: targetUrl,
        events: [...new Set(events)].sort(),
        name: name ?? null,
        created_at: new Date(now),
      })
      .onConflict((conflict) =>
        conflict
          .expression(sql`token_number, md5(target_url), events`)
          .where('deleted_at', 'is', null)
          .doUpdateSet({
            state: 'active',
            off_reason: null,
            failing_since: null,
            ...(name !== undefined && { name }),
          }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await resume(transaction, row.number);
    if (replaces !== undefined) await takeOver(transaction, row, replaces, now);
    return { row, isNew: row.id === id };
  });
  if (replaces !== undefined) wake();
  return subscribed;
}
