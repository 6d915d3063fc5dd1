import { desiredAfter, namesFor } from '../log/database/reading-subscriptions.ts';
import { reasonsOfStop } from './dead-reasons.ts';

/** SQL for the kinds of jobs that deliver what has no delivery. */
const isForMissing = "job.kind IN ('missing', 'of')";

/** SQL for a delivery that its subscription still had to get when it stopped. */
const isLeft = `(delivery.state = 'pending'
  OR delivery.state = 'dead' AND delivery.reason IN (${reasonsOfStop.map((one) => `'${one}'`).join()}))`;

/** Deliveries in its states, state after state, so that each is found in order by the index. */
const deliveriesAfter = (most: number) => `
  SELECT one.* FROM unnest(job.states) AS wanted (state) CROSS JOIN LATERAL (
    SELECT position, attempts, attempts_since_replay, replays, next_at FROM delivery
    WHERE subscription_number = job.of_number AND state = wanted.state
      AND position > job.position AND position <= job.until
    ORDER BY subscription_number, state, position LIMIT ${most}
  ) AS one
  ORDER BY one.position LIMIT ${most}`;

/** The deliveries of chosen events, if they have one; one by one, whatever the size of the table. */
const chosenAfter = `
  SELECT chosen.position, coalesce(known.attempts, 0) AS attempts,
    coalesce(known.attempts_since_replay, 0), coalesce(known.replays, 0), known.next_at
  FROM unnest(job.positions) AS chosen (position)
  LEFT JOIN LATERAL (
    SELECT state, attempts, attempts_since_replay, replays, next_at FROM delivery
    WHERE source_number = subscription.source_number AND position = chosen.position
      AND subscription_number = job.of_number
    OFFSET 0
  ) AS known ON true
  WHERE chosen.position > job.position AND (job.kind = 'again' OR known.state = 'pending')`;

/** Looks at this many, of which most may be known, in one step. */
const maxScanned = 2_000;

/**
 * SQL for the next deliveries of a `job` of a `subscription`: at most so many rows, at least one. Without
 * those that it has or, for a job of another subscription, that one has had. `until` is where the
 * job is after these rows, if they are fewer.
 */
export const nextOfJob = (most: number): string => `
  WITH scanned AS MATERIALIZED (
    SELECT position, max(attempts) AS attempts,
      max(attempts_since_replay) AS attempts_since_replay, max(replays) AS replays,
      max(next_at) AS next_at
    FROM (
      SELECT position, 0 AS attempts, 0 AS attempts_since_replay, 0 AS replays,
        NULL::timestamptz AS next_at
      FROM (${desiredAfter('job', maxScanned, 'AND position <= job.until')}) AS logged
      UNION ALL SELECT * FROM (${deliveriesAfter(most)}) AS known WHERE NOT ${isForMissing}
      UNION ALL SELECT * FROM (${deliveriesAfter(maxScanned)}) AS left_over WHERE ${isForMissing}
      UNION ALL SELECT * FROM (${chosenAfter}) AS chosen
    ) AS one
    GROUP BY position ORDER BY position LIMIT ${maxScanned}
  ), progress AS (
    SELECT CASE count(*) WHEN ${maxScanned} THEN max(position) ELSE job.until END AS until FROM scanned
  )
  SELECT progress.until, next.* FROM progress LEFT JOIN (
    SELECT scanned.* FROM scanned LEFT JOIN LATERAL (
      SELECT position FROM delivery
      WHERE ${isForMissing} AND source_number = subscription.source_number
        AND position = scanned.position
        AND subscription_number = ANY (ARRAY[subscription.number, job.of_number])
        AND (subscription_number = subscription.number OR NOT ${isLeft})
      LIMIT 1
    ) AS known ON true
    WHERE known.position IS NULL ORDER BY scanned.position LIMIT ${most}
  ) AS next ON true`;

/** SQL for an event that both still want, unless a person asked for its delivery. */
export const isDesiredByJob = `(NOT ${isForMissing}
  OR subscription.events && ${namesFor('event.type')} AND job.events && ${namesFor('event.type')})`;
