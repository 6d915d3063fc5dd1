import { isActive, readingTables } from '../database/reading-subscriptions.ts';

/** Subscriptions of one kind that a claim looks at, so that an event to thousands slows down no other. */
const mostScanned = 250;

const isLeased = 'lease.leased_until >= clock_timestamp()';

/** Whether no process delivers to it, this one included once its lease expired, and it does not pause. */
const isFree = `(${isLeased}) IS NOT TRUE AND lease.subscription_number <> ALL ($10::integer[])
  AND (lease.paused_until IS NULL OR lease.paused_until <= $2)`;

/** Those that have not read the newest event, from the one furthest behind or the one closest to it. */
const behind = (order: 'ASC' | 'DESC') => `
  (SELECT subscription.number FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number
    WHERE ${isActive} AND subscription.source_number = newest.source_number
      AND subscription.events = newest.events AND subscription.position < newest.position AND ${isFree}
    ORDER BY subscription.position ${order} LIMIT ${mostScanned})`;

/** Those to deliver to next, of one kind, without the ones that another process takes or took just now. */
const next = (which: string, most: string) => `
  SELECT lease.subscription_number, ranked.is_behind, ranked.has_retry, ranked.has_job FROM ranked
  JOIN lease ON lease.subscription_number = ranked.subscription_number
  JOIN subscription ON subscription.number = lease.subscription_number
  WHERE ${which} AND ${isFree}
  ORDER BY ranked.nth
  LIMIT ${most}
  FOR UPDATE OF lease SKIP LOCKED`;

/**
 * Tokens take turns, whatever the number of their subscriptions, and each gives its turn to the
 * subscription that has waited longest. Every other place goes to the newest event: it need not wait
 * for an event to thousands of subscriptions.
 */
export const claimStatement = `
${readingTables('$9::integer')}, scanned AS MATERIALIZED (
  SELECT * FROM retrying LIMIT ${mostScanned}
), reading AS (
  SELECT one.number, newest.received_at FROM newest
  CROSS JOIN LATERAL (${behind('ASC')} UNION ${behind('DESC')}) AS one
), working AS (
  SELECT job.subscription_number FROM job
  JOIN lease ON lease.subscription_number = job.subscription_number
  JOIN subscription ON subscription.number = job.subscription_number
  WHERE ${isActive} AND ${isFree} ORDER BY job.number LIMIT ${mostScanned}
), candidate AS (
  SELECT subscription_number, min(next_at) AS next_at, bool_or(is_behind) AS is_behind,
    bool_or(has_retry) AS has_retry, bool_or(has_job) AS has_job
  FROM (
    SELECT subscription_number, next_at, false AS is_behind, next_at <= $2 AS has_retry,
      false AS has_job
    FROM scanned
    UNION ALL
    SELECT number, least(received_at, $2), true, false, false FROM reading
    UNION ALL
    SELECT subscription_number, $2, false, false, true FROM working
  ) AS found GROUP BY subscription_number
), waiting AS MATERIALIZED (
  SELECT lease.subscription_number, lease.served_at, candidate.next_at, subscription.token_number,
    candidate.is_behind, candidate.has_retry, candidate.has_job,
    lease.failures_in_a_row > 0 OR lease.subscription_number = ANY ($6::integer[]) AS is_slow,
    greatest(candidate.next_at, lease.paused_until) AS at,
    ${isLeased} AS is_leased
  FROM candidate
  JOIN lease ON lease.subscription_number = candidate.subscription_number
  JOIN subscription ON subscription.number = candidate.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE ${isActive} AND token.revoked_at IS NULL
), turns AS (
  SELECT waiting.*, coalesce(held.places, 0) + row_number() OVER (
      PARTITION BY waiting.token_number, is_slow ORDER BY served_at NULLS FIRST
    ) AS turn
  FROM waiting
  LEFT JOIN unnest($7::integer[], $8::integer[]) AS held (token_number, places)
    ON held.token_number = waiting.token_number
  WHERE at <= $2 AND is_leased IS NOT TRUE
), ranked AS (
  SELECT subscription_number, is_slow, is_behind, has_retry, has_job, least(
      row_number() OVER (PARTITION BY is_slow ORDER BY turn, served_at NULLS FIRST),
      row_number() OVER (PARTITION BY is_slow ORDER BY next_at DESC)
    ) AS nth
  FROM turns
), slow AS (${next('ranked.is_slow', '$5::integer')}),
fast AS (${next('NOT ranked.is_slow', '$3::integer - (SELECT count(*)::integer FROM slow)')}),
chosen AS (SELECT * FROM slow UNION ALL SELECT * FROM fast),
claimed AS (
  UPDATE lease
  SET owner = $1, leased_until = clock_timestamp() + make_interval(secs => $4), served_at = $2
  FROM chosen
  JOIN subscription ON subscription.number = chosen.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE lease.subscription_number = chosen.subscription_number
  RETURNING subscription.source_number AS "source", subscription.number AS "subscription",
    subscription.token_number AS "token", subscription.generation,
    subscription.target_url AS "targetUrl", lease.failing_since AS "failingSince",
    lease.failed_at AS "failedAt", lease.failures_in_a_row AS "failuresInARow",
    subscription.max_concurrency AS "maxConcurrency",
    chosen.is_behind AS "isBehind", chosen.has_retry AS "hasRetry",
    chosen.has_job AS "hasJob",
    token.secret, token.previous_secret, token.previous_until
)
SELECT scan.*, claimed.* FROM (
  SELECT (SELECT CASE WHEN count(*) = ${mostScanned} THEN max(subscription_number) END FROM scanned)
      AS "scannedTo",
    least(
      (SELECT min(at) FROM waiting WHERE at > $2),
      (SELECT paused_until FROM lease WHERE paused_until > $2 ORDER BY paused_until LIMIT 1)
    ) AS "nextAt"
) AS scan
LEFT JOIN claimed ON true`;
