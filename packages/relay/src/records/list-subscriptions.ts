import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import type { subscriptionQuery } from './input-schemas.ts';
import { type Page, pageOf, readCursor, readNumber } from './page.ts';
import type { SubscriptionRecord } from './response-schemas.ts';
import { subscriptionRecord } from './subscription-record.ts';
import { newestSubscriptions } from './subscription-rows.ts';

/** A page of the subscriptions of a source, newest first. */
export async function listSubscriptions(
  { db }: RelayContext,
  source: number,
  { limit, cursor }: z.output<typeof subscriptionQuery>,
): Promise<Page<SubscriptionRecord>> {
  const after = readCursor(cursor, readNumber);
  const { rows } = await newestSubscriptions({ source, after, limit: limit + 1 }).execute(db);
  return pageOf(rows, limit, subscriptionRecord, (row) => String(row.number));
}
