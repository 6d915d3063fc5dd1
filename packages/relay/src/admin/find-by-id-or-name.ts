import { type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';
import { findSubscription } from '../records/find.ts';
import { RelayError } from '../relay-error.ts';

/**
 * A subscription of the source, by its ID, or by its name in any case if only one has it. Throws a
 * RelayError for none, and for several.
 */
export async function findByIdOrName(
  context: RelayContext,
  source: number,
  text: string,
): Promise<Selectable<SubscriptionTable>> {
  if (uuidOf('sub', text) !== undefined) return findSubscription(context, source, text);
  const [found, another] = await context.db
    .selectFrom('subscription')
    .selectAll()
    .where('source_number', '=', source)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(name) = lower(${text})`)
    .limit(2)
    .execute();
  if (found && !another) return found;
  throw another
    ? new RelayError('conflict', `Several subscriptions are named "${text}". Use the ID of one.`)
    : new RelayError('not_found', `There is no subscription ${text}.`);
}
