import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import { namesFor } from '../log/database/reading-subscriptions.ts';
import { reasonErased } from '../log/erase-events.ts';
import { reasonNotDesired } from '../subscribe/dead-reasons.ts';

/** One row for each reason to still deliver an event: its subscription wants it, or has a job of it. */
const reasonsToDeliver = `
  SELECT FROM event CROSS JOIN (
    SELECT events, since FROM subscription WHERE number = one.subscription
    UNION ALL
    SELECT events, array_fill(job.position, ARRAY[cardinality(events)]) FROM job
    WHERE subscription_number = one.subscription AND kind IN ('missing', 'of') AND one.position <= until
  ) AS who CROSS JOIN unnest(who.events, who.since) AS wanted (name, since)
  WHERE source_number = one.source AND event.position = one.position
    AND wanted.name = ANY (${namesFor('event.type')}) AND one.position > wanted.since`;

/** SQL for a result that says what a delivery is now. */
const applies = `known.replays < excluded.replays
  OR known.replays = excluded.replays AND (known.state = 'pending' OR excluded.state <> 'pending')`;

const deadType: RelayProblemName = 'relay.delivery_dead';

/**
 * Results, and where readers are after them. What is lost in a power cut only causes duplicates, so
 * the commit does not wait for the disk. A delivery that was delivered stays so, whatever an attempt
 * that began earlier ends with; one that died meanwhile gets no retry. After a redelivery that came
 * meanwhile, it stays due. A reader that was moved meanwhile stays where it was moved to: it skips
 * what has a delivery. Of an event that was erased meanwhile, no response is kept and no retry
 * follows; nor does one of an event whose type was given up, also if it is wanted again since.
 */
export const resultStatement = `
WITH setting AS (SELECT set_config('synchronous_commit', 'off', true)),
result AS (
  SELECT source, position, event, subscription, number, "attemptsSinceReplay", replays, at, status, error,
    "durationMs", "isProblem", CASE WHEN NOT is_erased THEN response END AS response,
    CASE WHEN why IS NULL THEN state ELSE 'dead' END AS state, coalesce(why, reason) AS reason,
    CASE WHEN why IS NULL THEN "nextAt" END AS "nextAt"
  FROM setting, json_to_recordset($1) AS one (source integer, position bigint, event uuid,
    subscription integer, number integer, "attemptsSinceReplay" integer, replays integer,
    at timestamptz, status integer, error text, "durationMs" integer, response jsonb, state text,
    reason text, "nextAt" timestamptz, "isProblem" boolean),
  LATERAL (
    SELECT EXISTS (
      SELECT FROM event
      WHERE source_number = one.source AND position = one.position AND body IS NULL
    ) AS is_erased
  ) AS known,
  LATERAL (
    SELECT CASE WHEN state <> 'pending' THEN NULL WHEN is_erased THEN '${reasonErased}'
      WHEN number = 1 AND replays = 0 AND NOT EXISTS (${reasonsToDeliver}) THEN '${reasonNotDesired}'
    END AS why
  ) AS ended
), attempted AS (
  INSERT INTO attempt (source_number, position, subscription_number, number, at, status, error,
    duration_ms, response)
  SELECT source, position, subscription, number, at, status, error, "durationMs", response FROM result
  ON CONFLICT DO NOTHING
), noted AS (
  INSERT INTO problem (subscription_number, type, count, at, event_id)
  SELECT subscription, '${deadType}', count(*), min(at), max(event::text)::uuid
  FROM result WHERE "isProblem" GROUP BY subscription ORDER BY subscription
  ON CONFLICT (subscription_number, type) DO UPDATE SET count = problem.count + excluded.count,
    at = CASE problem.count WHEN 0 THEN excluded.at ELSE problem.at END, event_id = excluded.event_id
), moved AS (
  UPDATE subscription SET position = one.to
  FROM setting, json_to_recordset($2)
    AS one (number integer, generation integer, "from" bigint, "to" bigint)
  WHERE subscription.number = one.number AND subscription.position = one.from
    AND subscription.generation = one.generation
), worked AS (
  UPDATE job SET position = one.to
  FROM setting, json_to_recordset($3) AS one (number bigint, "from" bigint, "to" bigint)
  WHERE job.number = one.number AND job.position = one.from AND one.to < job.until
), ended AS (
  DELETE FROM job USING json_to_recordset($3) AS one (number bigint, "to" bigint)
  WHERE job.number = one.number AND one.to >= job.until
)
INSERT INTO delivery AS known (source_number, position, subscription_number, state, reason, attempts,
  attempts_since_replay, replays, next_at)
SELECT source, position, subscription, state, reason, number, "attemptsSinceReplay", replays, "nextAt"
FROM result ORDER BY source, position, subscription
ON CONFLICT (source_number, position, subscription_number) DO UPDATE
SET attempts = excluded.attempts,
${['state', 'reason', 'attempts_since_replay', 'next_at', 'replays']
  .map((name) => `  ${name} = CASE WHEN ${applies} THEN excluded.${name} ELSE known.${name} END`)
  .join(',\n')}
WHERE known.attempts < excluded.attempts
  AND (known.state IN ('pending', 'dead') OR known.replays < excluded.replays)`;
