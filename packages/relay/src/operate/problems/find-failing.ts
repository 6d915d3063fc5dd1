import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';

const failing: RelayProblemName = 'relay.subscription_failing';

/** A restart of n8n takes less. */
const leastMs = 5 * 60_000;
const leastFailures = 3;
const batchSize = 1_000;
/** Deliveries of a subscription in which to look for a failed one; those wait the longest. */
const maxScan = 100;

/**
 * Notes subscriptions that have accepted nothing for five minutes, once until they accept something.
 * Deliveries of problems do not count: each would cause the next one.
 */
export async function findFailing({ db, clock }: RelayContext): Promise<void> {
  const since = new Date(clock.now() - leastMs);
  await sql`
    INSERT INTO problem (subscription_number, type, count, at, event_id)
    SELECT subscription.number, ${failing}, 1, lease.failing_since, failed.id
    FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number
    CROSS JOIN LATERAL (
      SELECT event.id FROM (
        SELECT * FROM delivery
        WHERE subscription_number = subscription.number AND state = 'pending'
        ORDER BY next_at DESC LIMIT ${maxScan}
      ) AS waiting
      JOIN event ON event.source_number = waiting.source_number
        AND event.position = waiting.position
      WHERE waiting.attempts > 0 AND event.type NOT LIKE 'relay.%'
      ORDER BY waiting.next_at DESC LIMIT 1
    ) AS failed
    WHERE subscription.state = 'active'
      AND lease.failing_since <= ${since}
      AND lease.failures_in_a_row >= ${leastFailures}
      AND NOT EXISTS (
        SELECT FROM problem AS known
        WHERE known.subscription_number = subscription.number AND known.type = ${failing}
          AND known.at >= lease.failing_since
      )
    ORDER BY subscription.number LIMIT ${batchSize}
    ON CONFLICT (subscription_number, type)
      DO UPDATE SET count = 1, at = excluded.at, event_id = excluded.event_id`.execute(db);
}
