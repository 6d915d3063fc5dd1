import { isActive, readingTables } from '../log/database/reading-subscriptions.ts';

/** Whether no process delivers to it, this one included once its lease expired, and it does not pause. */
const isFree = `(lease.leased_until >= clock_timestamp()) IS NOT TRUE
  AND lease.subscription_number <> ALL ($5::integer[])
  AND (lease.paused_until IS NULL OR lease.paused_until <= $2)`;

/** Leases subscriptions with something to do, those first that were served longest ago. */
export const claimStatement = `
${readingTables}, found AS (
  SELECT subscription_number, next_at, false AS is_behind, next_at <= $2 AS has_retry, false AS has_job
  FROM retrying
  UNION ALL
  SELECT subscription.number, $2, true, false, false FROM newest
  JOIN subscription ON ${isActive} AND subscription.source_number = newest.source_number
    AND subscription.events = newest.events AND subscription.position < newest.position
  UNION ALL
  SELECT subscription_number, $2, false, false, true FROM job
), candidate AS MATERIALIZED (
  SELECT subscription_number, greatest(min(next_at), min(lease.paused_until)) AS at,
    bool_or(is_behind) AS is_behind, bool_or(has_retry) AS has_retry, bool_or(has_job) AS has_job
  FROM found JOIN lease USING (subscription_number) GROUP BY subscription_number
), chosen AS (
  SELECT lease.subscription_number, is_behind, has_retry, has_job
  FROM candidate
  JOIN lease ON lease.subscription_number = candidate.subscription_number
  JOIN subscription ON subscription.number = candidate.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE at <= $2 AND ${isFree} AND ${isActive} AND token.revoked_at IS NULL
  ORDER BY lease.served_at NULLS FIRST
  LIMIT $3
  FOR UPDATE OF lease SKIP LOCKED
), claimed AS (
  UPDATE lease
  SET owner = $1, leased_until = clock_timestamp() + make_interval(secs => $4), served_at = $2
  FROM chosen
  JOIN subscription ON subscription.number = chosen.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE lease.subscription_number = chosen.subscription_number
  RETURNING subscription.source_number AS "source", subscription.number AS "subscription",
    subscription.generation, subscription.target_url AS "targetUrl",
    lease.failing_since AS "failingSince", lease.failed_at AS "failedAt",
    lease.failures_in_a_row AS "failuresInARow", subscription.max_concurrency AS "maxConcurrency",
    chosen.is_behind AS "isBehind", chosen.has_retry AS "hasRetry", chosen.has_job AS "hasJob",
    token.secret, token.previous_secret, token.previous_until
)
SELECT scan.*, claimed.* FROM (
  SELECT least(
    (SELECT min(at) FROM candidate WHERE at > $2),
    (SELECT paused_until FROM lease WHERE paused_until > $2 ORDER BY paused_until LIMIT 1)
  ) AS "nextAt"
) AS scan
LEFT JOIN claimed ON true`;
