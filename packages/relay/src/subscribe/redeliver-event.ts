import { conflicts } from '@screen-advertising/core/relay-contract';
import type { Kysely } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { Started } from '../log/contract-types.ts';
import type { EventKey } from '../log/database/log-position.ts';
import type { Tables } from '../log/database/tables.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { startJobs } from './jobs.ts';
import { endPause } from './lease.ts';
import { lockReachable } from './reachable.ts';
import { jobAt } from './redeliver.ts';

/**
 * Sends a stored event again: to one subscription, whatever its type and age, or else to those that
 * are on and had it, all or those of a token. Throws a RelayError (`conflict`) for an erased event.
 */
export async function redeliverEvent(
  context: RelayContext,
  event: EventKey,
  to: { readonly subscription: number } | { readonly token: number | undefined },
): Promise<Started> {
  return change(context, async (transaction) => {
    await mustBeKept(transaction, event);
    const numbers =
      'subscription' in to ? [to.subscription] : await hadIt(transaction, event, to.token);
    let deliveries = 0;
    for (const number of numbers) {
      const row = await lockReachable(transaction, number);
      const { count } = await startJobs(transaction, [jobAt(row, 'again', [event.position])]);
      deliveries += count;
    }
    await endPause(transaction, numbers);
    return { deliveries, has_more: false };
  });
}

/** In the order in which every request locks them. */
async function hadIt(
  db: Kysely<Tables>,
  { source_number, position }: EventKey,
  token: number | undefined,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('delivery')
    .innerJoin('subscription', 'subscription.number', 'delivery.subscription_number')
    .innerJoin('token', 'token.number', 'subscription.token_number')
    .select('subscription.number')
    .where('delivery.source_number', '=', source_number)
    .where('delivery.position', '=', position)
    .where('subscription.state', '=', 'active')
    .where('token.revoked_at', 'is', null)
    .$if(token !== undefined, (query) => query.where('token.number', '=', token ?? 0))
    .orderBy('subscription.number')
    .execute();
  return rows.map(({ number }) => number);
}

async function mustBeKept(
  db: Kysely<Tables>,
  { source_number, position }: EventKey,
): Promise<void> {
  const { body } = await db
    .selectFrom('event')
    .select('body')
    .where('source_number', '=', source_number)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
  if (body !== null) return;
  throw new RelayError('conflict', conflicts.erased);
}
