import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';

/** A problem to report, with all that a reader needs. */
export interface Problem {
  readonly type: RelayProblemName;
  readonly subscription: number;
  readonly subscriptionId: string;
  readonly name: string | null;
  readonly targetUrl: string;
  readonly source: number;
  readonly count: number;
  readonly at: Date;
  readonly offReason: string | null;
  /** The event whose delivery failed last, and why. */
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly error: string | null;
  /** Other subscriptions of the source with such a problem, if this is the last report for now. */
  readonly others: number;
}

const hour = 3_600_000;
/** Of each kind, for the subscriptions of a source. A relay without a network must not flood a chat. */
export const mostPerHour = 20;

/**
 * The oldest problem that still exists, was not reported in the last hour, and has a subscriber. Problems that
 * are over, because a subscription works again, is on again or was deleted, are forgotten.
 */
export async function nextProblem({ db, clock }: RelayContext): Promise<Problem | undefined> {
  await sql`
    UPDATE problem SET count = 0 FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number
    WHERE problem.count > 0 AND subscription.number = problem.subscription_number AND (
      subscription.deleted_at IS NOT NULL
      OR problem.type = 'relay.subscription_off' AND subscription.state = 'active'
      OR problem.type = 'relay.subscription_failing'
        AND (subscription.state = 'off' OR lease.failing_since IS NULL)
    )`.execute(db);
  const { rows } = await sql<Problem>`
    WITH candidate AS (
      SELECT problem.*, subscription.source_number FROM problem
      JOIN subscription ON subscription.number = problem.subscription_number
    ), reported AS (
      SELECT source_number, type, count(*)::integer AS count FROM candidate
      WHERE reported_at > ${new Date(clock.now() - hour)} GROUP BY source_number, type
    )
    SELECT candidate.type, candidate.count, candidate.at, subscription.number AS subscription,
      subscription.id AS "subscriptionId", subscription.name, subscription.target_url AS "targetUrl",
      subscription.source_number AS source, subscription.off_reason AS "offReason",
      candidate.event_id AS "eventId", event.type AS "eventType", last.error,
      CASE reported.count WHEN ${mostPerHour - 1} THEN (
        SELECT count(*) - 1 FROM candidate AS other WHERE other.count > 0
          AND other.type = candidate.type AND other.source_number = candidate.source_number
      ) ELSE 0 END::integer AS others
    FROM candidate
    JOIN subscription ON subscription.number = candidate.subscription_number
    LEFT JOIN reported ON reported.source_number = candidate.source_number AND reported.type = candidate.type
    LEFT JOIN event ON event.id = candidate.event_id
    LEFT JOIN LATERAL (
      SELECT attempt.error FROM attempt
      WHERE attempt.source_number = event.source_number AND attempt.position = event.position
        AND attempt.subscription_number = subscription.number
      ORDER BY attempt.number DESC LIMIT 1
    ) AS last ON true
    WHERE candidate.count > 0
      AND (candidate.reported_at IS NULL OR candidate.reported_at <= ${new Date(clock.now() - hour)})
      AND coalesce(reported.count, 0) < ${mostPerHour}
      AND EXISTS (
        SELECT FROM subscription AS reader
        WHERE reader.source_number = subscription.source_number
          AND reader.state = 'active' AND reader.deleted_at IS NULL
          AND reader.events && ARRAY[candidate.type]
      )
    ORDER BY candidate.at, candidate.subscription_number, candidate.type LIMIT 1`.execute(db);
  return rows[0];
}

/** What happened since it was read remains for the next report. */
export async function markReported({ db, clock }: RelayContext, problem: Problem): Promise<void> {
  const { type, subscription, count, at } = problem;
  const now = new Date(clock.now());
  await sql`
    UPDATE problem SET count = count - ${count}, reported_at = ${now},
      at = CASE WHEN count > ${count} THEN ${now}::timestamptz ELSE at END
    WHERE subscription_number = ${subscription} AND type = ${type} AND at = ${at}
      AND count >= ${count}`.execute(db);
}
