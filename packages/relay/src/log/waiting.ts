import { type Kysely, sql } from 'kysely';
import { sqlIf } from '../base/statements.ts';
import type { Tables } from '../base/tables.ts';
import { sqlDesiredEventsAfter, sqlNamesForType } from './wants.ts';

/** Waiting events are counted up to this number. */
export const maxCountedWaitingEvents = 10_000;

/** SQL for one row for each event that a `subscription` wants, has not read, and has no delivery of. */
export const sqlUnreadEvents = (most: number): string => `
  SELECT FROM (${sqlDesiredEventsAfter(most)}) AS unread WHERE NOT EXISTS (
    SELECT FROM delivery
    WHERE delivery.source_number = subscription.source_number
      AND delivery.position = unread.position AND delivery.subscription_number = subscription.number)`;

/** How a subscription fares at the moment. */
export interface SubscriptionBacklog {
  /** Events that it has not read, and deliveries to retry: of each up to the limit. */
  readonly unread: number;
  readonly pending: number;
  /** Whether it delivers what a person asked for. */
  readonly has_job: boolean;
  readonly failing_since: Date | null;
  /** Why the last attempt failed; null unless it fails now. */
  readonly last_error: string | null;
  /** The later of its schedule and its pause; null if it has nothing to attempt, or is off. */
  readonly next_at: Date | null;
  readonly delivered_at: Date | null;
}

export const emptyBacklog: SubscriptionBacklog = {
  ...{ unread: 0, pending: 0, has_job: false, failing_since: null },
  ...{ last_error: null, next_at: null, delivered_at: null },
};

/** By the number of each subscription. Reads a fixed number of rows for each, by index. */
export async function readBacklogs(
  db: Kysely<Tables>,
  numbers: readonly number[],
  { now, most = maxCountedWaitingEvents }: { readonly now: number; readonly most?: number },
): Promise<ReadonlyMap<number, SubscriptionBacklog>> {
  const attemptOf = sql`JOIN attempt ON attempt.source_number = one.source_number
    AND attempt.position = one.position AND attempt.subscription_number = subscription.number`;
  const { rows } = await sql<SubscriptionBacklog & { number: number }>`
    SELECT subscription.number, counted.*, lease.failing_since,
      CASE WHEN lease.failing_since IS NOT NULL THEN failed.error END AS last_error,
      CASE WHEN subscription.state = 'active' THEN greatest(
        CASE WHEN counted.unread > 0 OR counted.has_job THEN least(${new Date(now)}, soonest.at)
          ELSE soonest.at END,
        CASE WHEN counted.unread > 0 OR counted.has_job OR counted.pending > 0 THEN lease.paused_until END
      ) END AS next_at,
      delivered.at AS delivered_at
    FROM subscription LEFT JOIN lease ON lease.subscription_number = subscription.number
    CROSS JOIN LATERAL (SELECT
      (SELECT count(*)::integer FROM (${sql.raw(sqlUnreadEvents(most))}) AS one) AS unread,
      (SELECT count(*)::integer FROM (
        SELECT FROM delivery WHERE subscription_number = subscription.number AND state = 'pending'
        ORDER BY next_at LIMIT ${most}) AS one) AS pending,
      EXISTS (SELECT FROM job WHERE subscription_number = subscription.number) AS has_job
    ) AS counted
    CROSS JOIN LATERAL (SELECT min(next_at) AS at FROM delivery
      WHERE subscription_number = subscription.number AND state = 'pending') AS soonest
    LEFT JOIN LATERAL (
      SELECT attempt.error FROM (
        (SELECT source_number, position FROM delivery
          WHERE subscription_number = subscription.number AND state = 'pending'
          ORDER BY subscription_number DESC, next_at DESC LIMIT 1)
        UNION ALL
        (SELECT source_number, position FROM delivery
          WHERE subscription_number = subscription.number AND state = 'dead'
          ORDER BY subscription_number DESC, state DESC, position DESC LIMIT 1)
      ) AS one ${attemptOf}
      WHERE attempt.error IS NOT NULL ORDER BY attempt.at DESC LIMIT 1
    ) AS failed ON true
    LEFT JOIN LATERAL (
      SELECT max(attempt.at) AS at FROM (
        SELECT source_number, position FROM delivery
        WHERE subscription_number = subscription.number AND state = 'delivered'
        ORDER BY subscription_number DESC, state DESC, position DESC LIMIT 1
      ) AS one ${attemptOf}
    ) AS delivered ON true
    WHERE subscription.number = ANY (${numbers}::integer[])`.execute(db);
  return new Map(rows.map(({ number, ...standing }) => [number, standing]));
}

/** Who waits for an event. */
export interface WaitingSubscriptions {
  /** Names or targets of those that are on. */
  readonly active: readonly string[];
  /** Names or targets of those that get it only once they are on again. */
  readonly off: readonly string[];
}

interface EventPlace {
  readonly source_number: number;
  readonly position: string;
}

/** Looks at as many subscriptions that have not read the newest of the events. */
const maxBehind = 1_000;

/** For each event, by its position, the subscriptions that want it, have not read it, and had no attempt of it. */
export async function findWaitingSubscriptions(
  db: Kysely<Tables>,
  events: readonly EventPlace[],
  token?: number,
): Promise<ReadonlyMap<string, WaitingSubscriptions>> {
  const sources = events.map((one) => one.source_number);
  const positions = events.map(({ position }) => position);
  const { rows } = await sql<WaitingSubscriptions & { position: string }>`
    WITH behind AS MATERIALIZED (
      SELECT number, source_number, events, since, position, state, coalesce(name, target_url) AS name
      FROM subscription
      WHERE source_number = ANY (${sources}::integer[])
        AND position < (SELECT max(one) FROM unnest(${positions}::bigint[]) AS one)
        AND coalesce(off_reason, '') NOT IN ('unsubscribed', 'token_revoked')
        ${sqlIf(token, (number) => sql`AND token_number = ${number}`)}
      ORDER BY number LIMIT ${maxBehind}
    )
    SELECT event.position,
      coalesce(array_agg(behind.name ORDER BY behind.number) FILTER (WHERE state = 'active'), '{}') AS active,
      coalesce(array_agg(behind.name ORDER BY behind.number) FILTER (WHERE state = 'off'), '{}') AS off
    FROM unnest(${sources}::integer[], ${positions}::bigint[]) AS one (source_number, position)
    JOIN event ON event.source_number = one.source_number AND event.position = one.position
    JOIN behind ON behind.source_number = event.source_number AND behind.position < event.position
    WHERE event.body IS NOT NULL AND EXISTS (
      SELECT FROM unnest(behind.events, behind.since) AS wanted (name, since)
      WHERE wanted.name = ANY (${sql.raw(sqlNamesForType('event.type'))}) AND event.position > wanted.since
    ) AND NOT EXISTS (
      SELECT FROM delivery
      WHERE delivery.source_number = event.source_number AND delivery.position = event.position
        AND delivery.subscription_number = behind.number)
    GROUP BY event.position`.execute(db);
  return new Map(rows.map(({ position, ...waiting }) => [position, waiting]));
}
