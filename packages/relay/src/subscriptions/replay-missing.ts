import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { endOfLog, positionBefore } from '../database/log-position.ts';
import { isDesired } from '../database/reading-subscriptions.ts';
import type { SubscriptionTable } from '../database/subscription-tables.ts';
import type { Tables } from '../database/tables.ts';
import type { Missing } from '../records/response-schemas.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { addMissing, mostCounted } from './jobs.ts';
import { endPause } from './lease.ts';

/** Milliseconds since 1970: events that arrived at or after `since` and before `until`. */
interface Period {
  /** Default: since it was created, and of each type since the subscription wants it. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Delivers every event of a period that the subscription wants and has no delivery of. */
export async function replayMissing(
  context: RelayContext,
  subscription: Selectable<SubscriptionTable>,
  period: Period,
): Promise<Missing> {
  const { since, until } = period;
  if (since !== undefined && until !== undefined && until < since) {
    throw new RelayError('invalid_parameter', 'until: use a time after since.');
  }
  return change(context, async (transaction) => {
    const { wanting, start, end } = await rangeOf(transaction, subscription, period);
    const { count, hasMore } = await countMissing(transaction, wanting, start, end);
    if (count > 0 || hasMore) await addMissing(transaction, wanting, start, end);
    await endPause(transaction, [subscription.number]);
    return { deliveries: count, has_more: hasMore };
  });
}

/** A person who names a period wants it whole, whatever the subscription wanted then. */
export async function rangeOf(
  db: Kysely<Tables>,
  subscription: Selectable<SubscriptionTable>,
  { since, until }: Period,
) {
  const { source_number: source, created_at, events } = subscription;
  const wanting =
    since === undefined ? subscription : { ...subscription, since: events.map(() => '0') };
  const start = await positionBefore(db, source, since ?? created_at.getTime());
  const end =
    until === undefined ? await endOfLog(db, source) : await positionBefore(db, source, until);
  return { wanting, start, end };
}

type Wanting = Pick<Selectable<SubscriptionTable>, 'number' | 'source_number' | 'events' | 'since'>;

/** Among the first events after a position. */
export async function countMissing(
  db: Kysely<Tables>,
  { number, source_number: source, events, since }: Wanting,
  after: string,
  until: string,
) {
  const { rows } = await sql<{ read: number; missing: number }>`
    SELECT count(*)::integer AS read,
      (count(*) FILTER (WHERE own.position IS NULL AND NOT event.is_erased AND ${isDesired({ events, since })}))::integer
        AS missing
    FROM (
      SELECT position, type, body IS NULL AS is_erased FROM event
      WHERE source_number = ${source} AND position > ${after} AND position <= ${until}
      ORDER BY source_number, position LIMIT ${mostCounted}
    ) AS event
    LEFT JOIN delivery AS own ON own.source_number = ${source}
      AND own.position = event.position AND own.subscription_number = ${number}`.execute(db);
  const { read = 0, missing = 0 } = rows[0] ?? {};
  return { count: missing, hasMore: read === mostCounted };
}
