import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { EventTable, SubscriptionTable } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';
import { Refusal } from '../http/refusal.ts';

/** A subscription of the source. Throws a 404 for any other, and for one that was deleted. */
export async function findSubscription(
  { db }: RelayContext,
  source: number,
  id: string,
): Promise<Selectable<SubscriptionTable>> {
  const uuid = uuidOf('sub', id);
  const row =
    uuid &&
    (await db
      .selectFrom('subscription')
      .selectAll()
      .where('id', '=', uuid)
      .where('source_number', '=', source)
      .where('deleted_at', 'is', null)
      .executeTakeFirst());
  if (row) return row;
  throw new Refusal(404, 'not-found', `There is no subscription ${id}.`);
}

/** An event of the source. Throws a 404 for any other. */
export async function findEvent(
  { db }: RelayContext,
  source: number,
  id: string,
): Promise<Selectable<EventTable>> {
  const uuid = uuidOf('evt', id);
  const row =
    uuid &&
    (await db
      .selectFrom('event')
      .selectAll()
      .where('id', '=', uuid)
      .where('source_number', '=', source)
      .executeTakeFirst());
  if (row) return row;
  throw new Refusal(404, 'not-found', `There is no event ${id}, or it was pruned.`);
}
