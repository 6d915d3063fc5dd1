import { desiredAfter, isActive, namesFor } from '../log/database/reading-subscriptions.ts';
import { isDesiredByJob, nextOfJob } from '../subscribe/job-scan.ts';

/** Events of each reading. */
export const batchSize = 200;
/** Of their bodies together, unless the first one is larger. */
const maxBytes = 128 * 1024;

/**
 * The subscriptions to read for. A sender that lost its lease, whose token was revoked, or that claimed
 * the subscription before it was subscribed again, gets nothing.
 */
const asked = `
FROM unnest($1::integer[], $3::integer[]) WITH ORDINALITY AS asked (subscription, generation, nth)
JOIN lease AS held ON held.subscription_number = asked.subscription AND held.owner = $2
JOIN subscription ON subscription.number = asked.subscription AND ${isActive}
  AND subscription.generation = asked.generation
JOIN token ON token.number = subscription.token_number AND token.revoked_at IS NULL`;

/**
 * Limited before events are joined, by a constant, and joined one by one: a backlog may be large. Null
 * if it was pruned or erased.
 */
const eventOf = (position: string) => `
LEFT JOIN LATERAL (
  SELECT id, type, body FROM event
  WHERE source_number = subscription.source_number AND position = ${position} AND body IS NOT NULL
  OFFSET 0
) AS event ON true`;

/**
 * What the subscription has already of what was read. One by one: a plan from when the table was
 * empty, which PostgreSQL keeps until it analyzes the table, would read all deliveries each time.
 */
const ownDelivery = `
LEFT JOIN LATERAL (
  SELECT position FROM delivery
  WHERE source_number = subscription.source_number AND position = read.position
    AND subscription_number = subscription.number
  OFFSET 0
) AS own ON true`;

/** Null after as many bytes as one reading may have. */
const bodyInOrder = (order: string) => `
  CASE WHEN sum(octet_length(event.body)) OVER (PARTITION BY asked.nth ORDER BY ${order})
    - octet_length(event.body) < ${maxBytes} THEN event.body END AS body`;

/**
 * Pending deliveries whose next attempt is due at $4, earliest first. An attempt that ended just
 * when its type was given up may have left one, which is not wanted.
 */
export const retryStatement = `
SELECT asked.nth::integer, due.*, event.id AS event, event.type,
  due.replays = 0 AND NOT subscription.events && ${namesFor('event.type')} AS "isUnwanted",
  ${bodyInOrder('due."nextAt", due.position')}
${asked}
CROSS JOIN LATERAL (
  SELECT position, attempts, attempts_since_replay AS "attemptsSinceReplay", replays, next_at AS "nextAt"
  FROM delivery
  WHERE subscription_number = asked.subscription AND state = 'pending' AND next_at <= $4
  ORDER BY next_at, position LIMIT ${batchSize}
) AS due
${eventOf('due.position')}
ORDER BY asked.nth, due."nextAt", due.position`;

/**
 * The log after the position of each subscription, and its end: one row without an event if nothing
 * follows that it wants.
 */
export const logStatement = `
SELECT asked.nth::integer, subscription.position AS "from", read.position, event.id AS event, event.type,
  own.position IS NOT NULL AS "isKnown", 0 AS attempts, 0 AS "attemptsSinceReplay", 0 AS replays,
  NULL::timestamptz AS "nextAt", greatest(subscription.position, newest.position) AS until, ${bodyInOrder('read.position')}
${asked}
LEFT JOIN LATERAL (
  SELECT position FROM event WHERE source_number = subscription.source_number
  ORDER BY source_number DESC, position DESC LIMIT 1
) AS newest ON true
LEFT JOIN LATERAL (${desiredAfter('subscription', batchSize)}) AS read ON true
${eventOf('read.position')}${ownDelivery}
ORDER BY asked.nth, read.position`;

/**
 * The next of the oldest job of each subscription, of its retries first; one row without a position if
 * it has no more. `until` is where it is once it has attempted them. It skips what the
 * subscription does not want, unless a person asked for these deliveries.
 */
export const jobStatement = `
SELECT asked.nth::integer, job.number, job.position AS "from", read.until,
  read.position, event.id AS event, event.type, NOT ${isDesiredByJob} AS "isKnown",
  CASE WHEN job.kind IN ('again', 'retry') THEN read.attempts ELSE 0 END AS attempts,
  CASE job.kind WHEN 'retry' THEN read.attempts_since_replay ELSE 0 END AS "attemptsSinceReplay",
  CASE job.kind WHEN 'retry' THEN read.next_at END AS "nextAt",
  CASE job.kind WHEN 'again' THEN read.replays + 1 ELSE read.replays END AS replays,
  ${bodyInOrder('read.position')}
${asked}
CROSS JOIN LATERAL (
  SELECT * FROM job WHERE subscription_number = asked.subscription
  ORDER BY kind <> 'retry', number LIMIT 1
) AS job
CROSS JOIN LATERAL (${nextOfJob(batchSize)}) AS read
${eventOf('read.position')}
ORDER BY asked.nth, read.position`;
