import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';
import type { subscriptionQuery } from './input-schemas.ts';
import { type Page, pageOf, readCursor, readNumber } from './page.ts';
import type { SubscriptionRecord } from './response-schemas.ts';
import type { Scope } from './rights.ts';
import { newestSubscriptions } from './subscription-rows.ts';

/** A page of the subscriptions within the scope, newest first. */
export async function listSubscriptions(
  { db }: RelayContext,
  { source, own }: Scope,
  { limit, cursor }: z.output<typeof subscriptionQuery>,
): Promise<Page<SubscriptionRecord>> {
  const after = readCursor(cursor, readNumber);
  const { rows } = await newestSubscriptions({
    source,
    token: own?.token,
    after,
    limit: limit + 1,
  }).execute(db);
  return pageOf(rows, limit, subscriptionRecord, (row) => String(row.number));
}

export function subscriptionRecord(row: Selectable<SubscriptionTable>): SubscriptionRecord {
  return {
    id: publicId('sub', row.id),
    target_url: row.target_url,
    events: row.events,
    name: row.name,
    state: row.state,
    // A deleted one is in no list.
    off_reason: row.off_reason as SubscriptionRecord['off_reason'],
    max_concurrency: row.max_concurrency,
    max_per_minute: row.max_per_minute,
    created_at: row.created_at.toISOString(),
  };
}
