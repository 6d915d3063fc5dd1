import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { RelayError } from '../base/relay-error.ts';
import { retryOnConflict } from '../base/statements.ts';
import type { Tables } from '../base/tables.ts';
import type { RelayContext } from './context.ts';
import { sqlNamesForType } from './wants.ts';

/** Distinguishes these locks from others of the database. */
const kind = 7_001;

/** Until the transaction ends: a request may need events that pruning would delete meanwhile. */
export async function keepFromPruning(db: Kysely<Tables>, source: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${kind}::integer, ${source}::integer)`.execute(db);
}

/** Whether no request needs the source now, and none will until the transaction ends. */
async function mayPrune(db: Kysely<Tables>, source: number): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    SELECT pg_try_advisory_xact_lock(${kind}::integer, ${source}::integer) AS "isFree"`.execute(db);
  return rows[0]?.isFree ?? false;
}

/**
 * Default for days to keep events: retries take about three, and the owner needs time to notice.
 */
export const defaultRetentionDays = 30;

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

/** `retentionDays` in milliseconds. */
export function retentionInMs(days: number): number {
  if (days >= 1) return days * dayMs;
  throw new RelayError('configuration', `retentionDays must be 1 or more, not ${days}.`);
}

/** Younger events must stay: the service may still retry them, and their keys detect duplicates. */
export function atLeastAnHour(ms: number): number {
  if (ms >= hourMs) return ms;
  throw new RelayError(
    'configuration',
    'Events must stay for at least an hour, because the service may still retry them. Prune with --older-than 1h or more.',
  );
}

/** How many of each were deleted. */
export interface PrunedCounts {
  readonly events: number;
  readonly subscriptions: number;
}

interface PruneOptions {
  /** Milliseconds since 1970: deletes events that were not touched since. */
  readonly before: number;
  /** Deletes subscriptions that have been off since. */
  readonly offBefore: number;
  readonly mustStop?: () => boolean;
}

/** Events per transaction, small enough that no ingest has to wait. */
const batchSize = 500;

/** While a request needs the source. */
const pauseMs = 20;

/** Longer than any signature is accepted: from 15 minutes behind to 15 minutes ahead. */
const bodyMs = 3_600_000;

/**
 * Deletes events that arrived before a moment, with their deliveries and attempts. An event stays
 * while an active subscription still has to read it, or one that its subscriber has not ended has a
 * pending delivery or an unfinished job of it. It also stays if one was attempted since, so that recent
 * dead deliveries can be redelivered.
 */
export async function pruneEventsBefore(
  { db, clock }: RelayContext,
  { before, offBefore, mustStop = () => false }: PruneOptions,
): Promise<PrunedCounts> {
  let events = 0;
  for (const { number } of await db.selectFrom('source').select('number').execute()) {
    let after = '0';
    while (!mustStop()) {
      const last = after;
      const batch = await retryOnConflict(() =>
        db.transaction().execute(async (transaction) => {
          // The next statement sees what a request added before this lock.
          if (!(await mayPrune(transaction, number))) return undefined;
          return pruneEvents(transaction, { source: number, after: last, before });
        }),
      );
      if (!batch) {
        await wait(pauseMs);
        continue;
      }
      events += batch.deleted;
      if (batch.last === null) break;
      after = batch.last;
    }
  }
  await pruneBodies(db, clock.now() - bodyMs, mustStop);
  await db.deleteFrom('hourly_count').where('hour', '<', new Date(before)).execute();
  return { events, subscriptions: await pruneSubscriptions(db, offBefore) };
}

interface Batch {
  readonly source: number;
  readonly after: string;
  readonly before: number;
}

async function pruneEvents(
  db: Kysely<Tables>,
  { source, after, before }: Batch,
): Promise<{ readonly deleted: number; readonly last: string | null }> {
  const moment = new Date(before);
  const { rows } = await sql<{ positions: string[]; last: string | null }>`
    WITH next AS MATERIALIZED (
      SELECT position, type, received_at FROM event
      WHERE source_number = ${source} AND position > ${after}
      ORDER BY source_number, position LIMIT ${batchSize}
    ), read AS MATERIALIZED (
      SELECT kind.type, min(subscription.position) AS position
      FROM (SELECT DISTINCT type FROM next) AS kind
      JOIN subscription ON subscription.source_number = ${source}
        AND subscription.state = 'active'
        AND subscription.events && ${sql.raw(sqlNamesForType('kind.type'))}
      GROUP BY kind.type
    ), kept AS MATERIALIZED (
      SELECT subscription.number FROM subscription JOIN token ON token.number = subscription.token_number
      WHERE subscription.source_number = ${source} AND token.revoked_at IS NULL
        AND off_reason IS DISTINCT FROM 'unsubscribed'
    ), old AS (
      SELECT next.position FROM next LEFT JOIN read ON read.type = next.type
      WHERE next.received_at < ${moment} AND next.position <= coalesce(read.position, next.position)
        AND NOT EXISTS (
          SELECT FROM delivery JOIN kept ON kept.number = delivery.subscription_number
          WHERE delivery.source_number = ${source} AND delivery.position = next.position
            AND delivery.state = 'pending'
        ) AND NOT EXISTS (
          SELECT FROM job JOIN kept ON kept.number = job.subscription_number
          WHERE next.position > job.position AND next.position <= job.until
            AND (job.kind IN ('again', 'retry') OR job.events && ${sql.raw(sqlNamesForType('next.type'))})
        ) AND NOT EXISTS (
          SELECT FROM attempt
          WHERE attempt.source_number = ${source} AND attempt.position = next.position
            AND attempt.at >= ${moment}
        )
    )
    SELECT ARRAY(SELECT position FROM old ORDER BY position) AS positions,
      (SELECT max(position) FROM next
        WHERE (SELECT count(*) FROM next) = ${batchSize}
          AND (SELECT min(received_at) FROM next) < ${moment}) AS last`.execute(db);
  const { positions = [], last = null } = rows[0] ?? {};
  return { deleted: await deleteEvents(db, source, positions), last };
}

async function deleteEvents(
  db: Kysely<Tables>,
  source: number,
  positions: readonly string[],
): Promise<number> {
  if (positions.length === 0) return 0;
  // For readers who continue at a position from long ago.
  const { rows } = await sql<{ count: number }>`
    WITH old AS (
      DELETE FROM event
      WHERE source_number = ${source} AND position = ANY (${positions}::bigint[])
      RETURNING type, position
    ), noted AS (
      INSERT INTO pruned (source_number, type, position)
      SELECT ${source}::integer, type, max(position) FROM old GROUP BY type ORDER BY type
      ON CONFLICT (source_number, type) DO UPDATE
        SET position = greatest(pruned.position, excluded.position)
    )
    SELECT count(*)::integer AS count FROM old`.execute(db);
  for (const table of ['attempt', 'delivery'] as const) {
    await db
      .deleteFrom(table)
      .where('source_number', '=', source)
      .where(sql<boolean>`position = ANY (${positions}::bigint[])`)
      .execute();
  }
  return rows[0]?.count ?? 0;
}

/** Both times count: to be stored again, a body must be signed after the last one like it. */
async function pruneBodies(
  db: Kysely<Tables>,
  beforeMs: number,
  mustStop: () => boolean,
): Promise<void> {
  const before = new Date(beforeMs);
  let count = BigInt(batchSize);
  while (count === BigInt(batchSize) && !mustStop()) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM seen_body WHERE (source_number, key) IN (
        SELECT source_number, key FROM seen_body
        WHERE received_at < ${before} AND signed_at < ${before}
        LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
      )`.execute(db);
    count = numAffectedRows;
  }
}

/**
 * Deletes those that have been off since, except by hand. The database waits for a request that subscribes
 * one again, and then keeps it. A deleted one takes with it what belongs to it.
 */
async function pruneSubscriptions(db: Kysely<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await retryOnConflict(() =>
    db
      .deleteFrom('subscription')
      .where('stopped_at', '<', new Date(before))
      .where('off_reason', '<>', 'by_hand')
      .executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
