import { isActive, namesFor } from '../database/reading-subscriptions.ts';

/** Events of each reading. */
export const batchSize = 50;
/** Of their bodies together, unless the first one is larger. */
const mostBytes = 1024 * 1024;

/** The subscriptions to read for. A sender that lost its lease, or whose token was revoked, gets nothing. */
const asked = `
FROM unnest($1::integer[]) WITH ORDINALITY AS asked (subscription, nth)
JOIN lease AS held ON held.subscription_number = asked.subscription AND held.owner = $2
JOIN subscription ON subscription.number = asked.subscription AND ${isActive}
JOIN token ON token.number = subscription.token_number AND token.revoked_at IS NULL`;

/**
 * The next events that the subscription wants after a position. One type after the other: together,
 * PostgreSQL would walk through all events for a rare type.
 */
const wantedAfter = (position: string, until = '') => `
  SELECT one.* FROM unnest(subscription.events) AS wanted (name) CROSS JOIN LATERAL (
    (SELECT position FROM event
      WHERE wanted.name <> '*' AND source_number = subscription.source_number
        AND type = wanted.name AND position > ${position} ${until}
      ORDER BY source_number, type, position LIMIT ${batchSize})
    UNION ALL
    (SELECT position FROM event
      WHERE wanted.name = '*' AND source_number = subscription.source_number
        AND type NOT LIKE 'relay.%' AND position > ${position} ${until}
      ORDER BY source_number, position LIMIT ${batchSize})
  ) AS one
  ORDER BY one.position LIMIT ${batchSize}`;

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
    - octet_length(event.body) < ${mostBytes} THEN event.body END AS body`;

/** Pending deliveries whose next attempt is due at $3, earliest first. */
export const retryStatement = `
SELECT asked.nth::integer, due.*, event.id AS event, event.type, ${bodyInOrder('due.next_at, due.position')}
${asked}
CROSS JOIN LATERAL (
  SELECT position, attempts, attempts_since_replay AS "attemptsSinceReplay", replays, next_at
  FROM delivery
  WHERE subscription_number = asked.subscription AND state = 'pending' AND next_at <= $3
  ORDER BY next_at, position LIMIT ${batchSize}
) AS due
${eventOf('due.position')}
ORDER BY asked.nth, due.next_at, due.position`;

/** The log after the position of each subscription. */
export const logStatement = `
SELECT asked.nth::integer, subscription.position AS "from", read.position, event.id AS event, event.type,
  own.position IS NOT NULL AS "isKnown", 0 AS attempts, 0 AS "attemptsSinceReplay", 0 AS replays,
  ${bodyInOrder('read.position')}
${asked}
CROSS JOIN LATERAL (${wantedAfter('subscription.position')}) AS read
${eventOf('read.position')}${ownDelivery}
ORDER BY asked.nth, read.position`;

/** Why a delivery is dead whose subscription was deleted. */
export const reasonDeleted = 'subscription_off: deleted';

/** Deliveries of a replay, state after state, so that each is found in order by the index. */
const deliveriesAfter = `
  SELECT one.* FROM unnest(replay.states) AS wanted (state) CROSS JOIN LATERAL (
    SELECT position, state, reason, attempts, attempts_since_replay, replays FROM delivery
    WHERE subscription_number = replay.of_number AND state = wanted.state
      AND position > replay.position AND position <= replay.until
    ORDER BY subscription_number, state, position LIMIT ${batchSize}
  ) AS one
  ORDER BY one.position LIMIT ${batchSize}`;

/**
 * The next of the oldest replay of each subscription; one row without a position after its last. What
 * it takes over, or finds missing, it skips if the subscription has a delivery already.
 */
export const replayStatement = `
SELECT asked.nth::integer, replay.number, replay.until, replay.position AS "from",
  read.position, event.id AS event, event.type,
  CASE replay.kind
    WHEN 'again' THEN false
    WHEN 'retry' THEN false
    WHEN 'missing' THEN own.position IS NOT NULL
    ELSE own.position IS NOT NULL
      OR (read.state = 'dead' AND read.reason NOT IN ('gone', '${reasonDeleted}'))
      OR NOT subscription.events && ${namesFor('event.type')}
  END AS "isKnown",
  CASE WHEN replay.kind IN ('again', 'retry') THEN read.attempts ELSE 0 END AS attempts,
  CASE replay.kind WHEN 'retry' THEN read.attempts_since_replay ELSE 0 END AS "attemptsSinceReplay",
  CASE replay.kind WHEN 'again' THEN read.replays + 1 WHEN 'missing' THEN 0 ELSE read.replays END
    AS replays,
  ${bodyInOrder('read.position')}
${asked}
CROSS JOIN LATERAL (
  SELECT * FROM replay WHERE subscription_number = asked.subscription
  ORDER BY subscription_number, number LIMIT 1
) AS replay
LEFT JOIN LATERAL (
  SELECT missing.position, NULL AS state, NULL AS reason, 0 AS attempts, 0 AS attempts_since_replay,
    0 AS replays
  FROM (${wantedAfter('replay.position', 'AND position <= replay.until')}) AS missing
  WHERE replay.kind = 'missing'
  UNION ALL
  SELECT * FROM (${deliveriesAfter}) AS again WHERE replay.kind <> 'missing'
) AS read ON true
${eventOf('read.position')}${ownDelivery}
ORDER BY asked.nth, read.position`;
