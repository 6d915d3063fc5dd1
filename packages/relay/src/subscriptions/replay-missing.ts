import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { lowerPosition, positionBefore } from '../database/log-position.ts';
import { namesFor } from '../database/reading-subscriptions.ts';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import type { Missing } from '../records/response-schemas.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { addReplay, mostCounted } from './replay.ts';

/** Milliseconds since 1970: events that arrived at or after `since` and before `until`. */
interface Period {
  readonly since: number;
  readonly until?: number | undefined;
}

/**
 * Delivers every event of a period that the subscription wants and has no delivery of. What is after
 * its position it gets anyway.
 */
export async function replayMissing(
  context: RelayContext,
  subscription: Selectable<SubscriptionTable>,
  { since, until }: Period,
): Promise<Missing> {
  if (until !== undefined && until < since) {
    throw new RelayError('invalid_parameter', 'until: use a time after since.');
  }
  const { number, source_number: source } = subscription;
  return change(context, async (transaction) => {
    const { position: reached } = await transaction
      .selectFrom('subscription')
      .select('position')
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    const end =
      until === undefined
        ? reached
        : lowerPosition(reached, await positionBefore(transaction, source, until));
    const start = await positionBefore(transaction, source, since);
    const { count, hasMore } = await countMissing(transaction, subscription, start, end);
    if (count > 0 || hasMore) await addMissing(transaction, number, start, end);
    return { deliveries: count, has_more: hasMore };
  });
}

/** Has the sender deliver what the subscription wants, and has no delivery of, between two positions. */
export async function addMissing(
  db: Kysely<Tables>,
  number: number,
  position: string,
  until: string,
): Promise<void> {
  await addReplay(db, {
    kind: 'missing',
    subscription_number: number,
    of_number: number,
    states: [],
    position,
    until,
  });
}

/** Among the first events after a position. */
export async function countMissing(
  db: Kysely<Tables>,
  { number, source_number: source, events }: Selectable<SubscriptionTable>,
  after: string,
  until: string,
) {
  const { rows } = await sql<{ read: number; missing: number }>`
    SELECT count(*)::integer AS read,
      (count(*) FILTER (WHERE own.position IS NULL AND NOT next.is_erased AND ${sql.raw(namesFor('next.type'))} && ${events}::text[]))::integer
        AS missing
    FROM (
      SELECT position, type, body IS NULL AS is_erased FROM event
      WHERE source_number = ${source} AND position > ${after} AND position <= ${until}
      ORDER BY source_number, position LIMIT ${mostCounted}
    ) AS next
    LEFT JOIN delivery AS own ON own.source_number = ${source}
      AND own.position = next.position AND own.subscription_number = ${number}`.execute(db);
  const { read = 0, missing = 0 } = rows[0] ?? {};
  return { count: missing, hasMore: read === mostCounted };
}
