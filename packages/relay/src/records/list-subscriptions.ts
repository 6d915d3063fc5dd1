import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import type { subscriptionQuery } from './input-schemas.ts';
import { type Page, pageOf, readCursor } from './page.ts';
import { type SubscriptionRecord, subscriptionRecord } from './subscription-record.ts';

const position = /^(\d{1,9})$/;

/** A page of the subscriptions of a source, newest first. */
export async function listSubscriptions(
  { db }: RelayContext,
  source: number,
  { limit, cursor }: z.output<typeof subscriptionQuery>,
): Promise<Page<SubscriptionRecord>> {
  let query = db
    .selectFrom('subscription')
    .selectAll()
    .where('source_number', '=', source)
    .where('deleted_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) {
    query = query.where('number', '<', Number(readCursor(cursor, position)[0]));
  }
  return pageOf(await query.execute(), limit, subscriptionRecord, (row) => String(row.number));
}
