import type { RelayContext } from '../context.ts';
import { readSubscriptionId, type SubscriptionId } from '../log/database/ids.ts';
import { RelayError } from '../relay-error.ts';
import { mustReach, type Scope } from './records/rights.ts';

/**
 * Ends a subscription within the scope, and accepts one that has ended, or has been subscribed again
 * since its ID was given: that one stays. Throws a RelayError for any other.
 */
export async function unsubscribe(context: RelayContext, scope: Scope, id: string): Promise<void> {
  const known = readSubscriptionId(id);
  const row = await context.db
    .selectFrom('subscription')
    .select('token_number')
    .where('id', '=', known?.id ?? null)
    .$if(scope.source !== undefined, (query) =>
      query.where('source_number', '=', scope.source ?? 0),
    )
    .executeTakeFirst();
  if (!row || !known) throw new RelayError('not_found', `There is no subscription ${id}.`);
  mustReach(scope, row.token_number);
  await endSubscription(context, known);
  context.changed();
}

/** It keeps its position and its deliveries, for the case that it is subscribed again. */
export async function endSubscription(
  { db, clock }: Pick<RelayContext, 'db' | 'clock'>,
  { id, generation }: SubscriptionId,
): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ state: 'off', off_reason: 'unsubscribed', stopped_at: new Date(clock.now()) })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('off_reason', 'is distinct from', 'unsubscribed')
    .execute();
}
