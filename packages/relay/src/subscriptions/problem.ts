import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

const off: RelayProblemName = 'relay.subscription_off';

/** Has the maintenance report that these subscriptions are off. */
export async function noteSwitchedOff(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
  now: number,
): Promise<void> {
  if (subscriptions.length === 0) return;
  await sql`
    INSERT INTO problem (subscription_number, type, count, at)
    SELECT number, ${off}, 1, ${new Date(now)} FROM subscription
    WHERE number = ANY(${subscriptions}::integer[]) AND ${wantsServiceEvents}
    ORDER BY number
    ON CONFLICT (subscription_number, type) DO UPDATE SET count = 1, at = excluded.at`.execute(db);
}

/**
 * Whether a row of `subscription` gets more than problems of the relay. Otherwise its own failure
 * would cause the next event for it.
 */
export const wantsServiceEvents = sql<boolean>`EXISTS (
  SELECT FROM unnest(subscription.events) AS wanted WHERE wanted NOT LIKE 'relay.%'
)`;
