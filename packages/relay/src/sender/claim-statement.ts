import { pendingSubscriptions } from '../database/pending-subscriptions.ts';

/** Subscriptions that one claim looks at, so that an event to thousands slows down no other. */
const mostScanned = 250;

/** Those to deliver to next, of one kind, without the ones that another process takes right now. */
const next = (which: string, most: string) => `
  SELECT lease.subscription_number FROM ranked
  JOIN lease ON lease.subscription_number = ranked.subscription_number
  WHERE ${which} AND (lease.leased_until IS NULL OR lease.leased_until < clock_timestamp())
  ORDER BY ranked.nth
  LIMIT ${most}
  FOR UPDATE OF lease SKIP LOCKED`;

/**
 * Tokens take turns, whatever the number of their subscriptions, and each gives its turn to the
 * subscription that has waited longest. Every other place goes to the newest delivery: it need not
 * wait for an event to thousands of subscriptions. So a claim looks at those of the newest events,
 * and at the next ones in the order of their numbers.
 */
export const claimStatement = `
WITH ${pendingSubscriptions('$9::integer')}, scanned AS MATERIALIZED (
  SELECT * FROM pending LIMIT ${mostScanned}
), newest AS MATERIALIZED (
  SELECT DISTINCT latest.subscription_number FROM source CROSS JOIN LATERAL (
    SELECT subscription_number FROM delivery
    WHERE state = 'pending' AND source_number = source.number
    ORDER BY source_number DESC, event_id DESC LIMIT ${mostScanned}
  ) AS latest
), candidate AS (
  SELECT * FROM scanned
  UNION
  SELECT earliest.* FROM newest CROSS JOIN LATERAL (
    SELECT subscription_number, next_at FROM delivery
    WHERE state = 'pending' AND subscription_number = newest.subscription_number
    ORDER BY next_at LIMIT 1
  ) AS earliest
), waiting AS MATERIALIZED (
  SELECT lease.subscription_number, lease.served_at, candidate.next_at, subscription.token_number,
    lease.failures_in_a_row > 0 OR lease.subscription_number = ANY ($6::integer[]) AS is_slow,
    greatest(candidate.next_at, lease.paused_until) AS at,
    lease.leased_until >= clock_timestamp() AS is_leased
  FROM candidate
  JOIN lease ON lease.subscription_number = candidate.subscription_number
  JOIN subscription ON subscription.number = candidate.subscription_number
  JOIN token ON token.number = subscription.token_number
  WHERE subscription.state = 'active' AND subscription.deleted_at IS NULL
    AND token.revoked_at IS NULL
), turns AS (
  SELECT waiting.*, coalesce(held.places, 0) + row_number() OVER (
      PARTITION BY waiting.token_number, is_slow ORDER BY served_at NULLS FIRST
    ) AS turn
  FROM waiting
  LEFT JOIN unnest($7::integer[], $8::integer[]) AS held (token_number, places)
    ON held.token_number = waiting.token_number
  WHERE at <= $2 AND is_leased IS NOT TRUE
), ranked AS (
  SELECT subscription_number, is_slow, least(
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
    subscription.token_number AS "token",
    subscription.target_url AS "targetUrl", subscription.failing_since AS "failingSince",
    lease.failures_in_a_row AS "failuresInARow",
    token.secret, token.previous_secret, token.previous_until
)
SELECT scan.*, claimed.* FROM (
  SELECT (SELECT CASE WHEN count(*) = ${mostScanned} THEN max(subscription_number) END FROM scanned)
      AS "scannedTo",
    (SELECT min(at) FROM waiting WHERE at > $2) AS "nextAt"
) AS scan
LEFT JOIN claimed ON true`;
