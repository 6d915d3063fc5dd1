import type { Kysely, Selectable } from 'kysely';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import { leastUuidAt, uuidOf } from '../database/uuid.ts';
import { type Started, startJob } from './jobs.ts';

/**
 * n8n unsubscribes and subscribes again each time a workflow is published. After this time, a new
 * subscription inherits nothing.
 */
const graceMs = 10 * 60_000;

/**
 * Delivers what the replaced subscription of the same source has not received to the new one, if it
 * wants those events. An event that both receive has the same `webhook-id`.
 */
export async function takeOver(
  db: Kysely<Tables>,
  { number, source_number: source }: Selectable<SubscriptionTable>,
  replaced: string,
  now: number,
): Promise<Started> {
  const uuid = uuidOf('sub', replaced);
  const found =
    uuid &&
    (await db
      .selectFrom('subscription')
      .select('number')
      .where('id', '=', uuid)
      .where('source_number', '=', source)
      .where('number', '<>', number)
      .where(({ eb, or }) =>
        or([eb('deleted_at', 'is', null), eb('deleted_at', '>=', new Date(now - graceMs))]),
      )
      .executeTakeFirst());
  if (!found) return { count: 0, hasMore: false };
  const job = {
    kind: 'take_over',
    source_number: source,
    subscription_number: number,
    replaced_number: found.number,
    state: null,
    after_event: leastUuidAt(0),
    after_subscription: 0,
    until_event: leastUuidAt(now + 1),
  } as const;
  return startJob(db, job, now);
}
