import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { publicId, uuidOf } from '../database/uuid.ts';
import { RelayError } from '../relay-error.ts';

/**
 * The ID of a subscription of the source, given that ID, or its name in any case if only one has it.
 * Throws a RelayError for a name that none has, or several.
 */
export async function subscriptionId(
  { db }: RelayContext,
  source: number,
  text: string,
): Promise<string> {
  if (uuidOf('sub', text) !== undefined) return text;
  const [found, another] = await db
    .selectFrom('subscription')
    .select('id')
    .where('source_number', '=', source)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(name) = lower(${text})`)
    .limit(2)
    .execute();
  if (found && !another) return publicId('sub', found.id);
  throw another
    ? new RelayError('conflict', `Several subscriptions are named "${text}". Use the ID of one.`)
    : new RelayError('not_found', `There is no subscription ${text}.`);
}
