import type { RelayProblemEventName } from '@screen-advertising/core/webhooks';
import type { Pool } from 'pg';
import { BatchedStatement, preparedStatement, retryOnConflict } from '../base/statements.ts';
import {
  type DeliveryState,
  type ResponseRecord,
  reasonErased,
  reasonNotDesired,
  reasonUnsubscribed,
} from '../base/stored-values.ts';
import { sqlNamesForType } from '../log/wants.ts';
import type { ReaderMove } from './read.ts';

/** An attempt and its effect on the delivery. */
export interface AttemptResult {
  readonly source: number;
  readonly position: string;
  readonly subscription: number;
  /** How often the subscription had been started when the event was read for it. */
  readonly starts: number;
  readonly event: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly attemptsSinceReplay: number;
  readonly replays: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly response: ResponseRecord | null;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
  readonly isProblem: boolean;
}

/** A result and its moves, which belong into one transaction. */
export interface ResultWithMoves {
  /** The lease of the sender that writes it. */
  readonly lease: object;
  readonly result?: AttemptResult;
  readonly moves: readonly ReaderMove[];
}

const ofEvent = sqlNamesForType('stored.type');

/**
 * One row for each reason to retry a first attempt that failed: its subscription wants the event, or has a
 * job of it and still wants its type.
 */
const reasonsToRetry = `
  SELECT FROM unnest(owner.events, owner.since) AS wanted (name, since)
  WHERE wanted.name = ANY (${ofEvent}) AND one.position > wanted.since
  UNION ALL
  SELECT FROM job
  WHERE owner.events && ${ofEvent} AND subscription_number = one.subscription
    AND kind IN ('missing', 'of') AND one.position > job.position AND one.position <= job.until
    AND job.events && ${ofEvent}`;

/** SQL for a result that says what a delivery is now. */
const applies = `known.replays < excluded.replays
  OR known.replays = excluded.replays AND (known.state = 'pending' OR excluded.state <> 'pending')`;

const deadType: RelayProblemEventName = 'relay.delivery_dead';

interface Values {
  readonly subscriptions: readonly number[];
  readonly results: string;
  readonly logMoves: string;
  readonly jobMoves: string;
}

/**
 * Results, and where readers are after them. What is lost in a power cut only causes duplicates, so
 * the commit does not wait for the disk.
 *
 * It locks the subscriptions before all else, like every request, so it has what a request that came
 * first has committed: of an event whose type was given up, or that was read before the subscription
 * skipped it, no retry follows. Then the events: of one that was erased, no response is kept and no retry
 * follows; of one that was pruned, nothing is kept. A delivery that was delivered stays so, whatever an
 * attempt that began earlier ends with; one that died meanwhile gets no retry. After a redelivery that
 * came meanwhile, it stays due. A reader that was moved meanwhile stays where it was moved to: it skips
 * what has a delivery.
 */
const write = preparedStatement<Values>(
  'write-results',
  `
WITH setting AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
owner AS MATERIALIZED (
  SELECT subscription.number, events, since, starts, skipping_start FROM setting, subscription
  WHERE subscription.number = ANY (:subscriptions::integer[])
  ORDER BY subscription.number FOR NO KEY UPDATE OF subscription
), given AS MATERIALIZED (
  SELECT * FROM json_to_recordset(:results) AS one (source integer, position bigint, event uuid,
    subscription integer, starts integer, number integer, "attemptsSinceReplay" integer, replays integer,
    at timestamptz, status integer, error text, "durationMs" integer, response jsonb, state text,
    reason text, "nextAt" timestamptz, "isProblem" boolean)
), stored AS MATERIALIZED (
  SELECT event.source_number, event.position, event.type, event.body IS NULL AS is_erased
  FROM (SELECT DISTINCT source, position FROM given, (SELECT count(*) FROM owner) AS locked) AS wanted
  JOIN event ON event.source_number = wanted.source AND event.position = wanted.position
  ORDER BY event.source_number, event.position FOR SHARE OF event
), result AS MATERIALIZED (
  SELECT source, one.position, event, subscription, one.number, "attemptsSinceReplay", replays, at,
    status, error, "durationMs", "isProblem", CASE WHEN NOT is_erased THEN response END AS response,
    CASE WHEN why IS NULL THEN state ELSE 'dead' END AS state, coalesce(why, reason) AS reason,
    CASE WHEN why IS NULL THEN "nextAt" END AS "nextAt"
  FROM given AS one
  JOIN owner ON owner.number = one.subscription
  JOIN stored ON stored.source_number = one.source AND stored.position = one.position,
  LATERAL (
    SELECT CASE WHEN state <> 'pending' THEN NULL WHEN is_erased THEN '${reasonErased}'
      WHEN one.number > 1 OR replays > 0 THEN NULL
      WHEN one.starts < owner.skipping_start THEN '${reasonUnsubscribed}'
      WHEN NOT EXISTS (${reasonsToRetry}) THEN '${reasonNotDesired}'
    END AS why
  ) AS ended
), moved AS (
  UPDATE subscription SET position = one.to
  FROM json_to_recordset(:logMoves) AS one (number integer, starts integer, "from" bigint, "to" bigint)
  JOIN owner ON owner.number = one.number
  WHERE subscription.number = one.number AND subscription.position = one.from
    AND subscription.starts = one.starts
), worked AS (
  UPDATE job SET position = one.to
  FROM json_to_recordset(:jobMoves) AS one (number bigint, subscription integer, "from" bigint, "to" bigint)
  JOIN owner ON owner.number = one.subscription
  WHERE job.number = one.number AND job.position = one.from AND one.to < job.until
), ended AS (
  DELETE FROM job
  USING json_to_recordset(:jobMoves) AS one (number bigint, subscription integer, "from" bigint, "to" bigint)
  JOIN owner ON owner.number = one.subscription
  WHERE job.number = one.number AND job.position = one.from AND one.to >= job.until
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
  AND (known.state IN ('pending', 'dead') OR known.replays < excluded.replays)`,
);

const maxResults = 500;
/** If the process dies, the deliveries of this interval are sent twice. */
const lingerMs = 25;

/** Writes the results of all subscriptions of a process in batches. */
export class ResultWriter {
  readonly #batches: BatchedStatement<ResultWithMoves, void>;
  /**
   * Those that have a result which was not written. What is attempted beside it may end later, and would
   * move the reader past an event that has no delivery: so it stays where it is, for the next sender.
   */
  readonly #incomplete = new WeakSet<object>();

  constructor(pool: Pool) {
    const run = async (all: readonly ResultWithMoves[]) => {
      const query = write(
        valuesOf(all.map((one) => (this.#incomplete.has(one.lease) ? { ...one, moves: [] } : one))),
      );
      await retryOnConflict(() => pool.query(query));
      return [];
    };
    this.#batches = new BatchedStatement(run, { most: maxResults, lingerMs });
  }

  async write(written: ResultWithMoves): Promise<void> {
    try {
      await this.#batches.add(written);
    } catch (error) {
      this.#incomplete.add(written.lease);
      throw error;
    }
  }

  /**
   * Resolves while the database keeps up. Otherwise results of hundreds of subscriptions would pile
   * up, and one with a single event would wait until all of them are written.
   */
  room(): Promise<void> {
    return this.#batches.room();
  }

  /** For a caller that waits for its results. */
  flush(): void {
    this.#batches.flush();
  }
}

function valuesOf(all: readonly ResultWithMoves[]): Values {
  const results = all.flatMap(({ result }) => result ?? []);
  const moves = merged(all.flatMap((one) => one.moves));
  const movesOf = (kind: ReaderMove['kind']) =>
    JSON.stringify(moves.filter((one) => one.kind === kind));
  return {
    subscriptions: [...new Set([...results, ...moves].map(({ subscription }) => subscription))],
    results: JSON.stringify(results),
    logMoves: movesOf('log'),
    jobMoves: movesOf('job'),
  };
}

/** One move of each reader, from the first position to the last. */
function merged(moves: readonly ReaderMove[]): readonly ReaderMove[] {
  const byReader = Map.groupBy(moves, ({ kind, number }) => `${kind} ${number}`);
  return [...byReader.values()].map((all) => ({
    ...(all[0] as ReaderMove),
    to: (all.at(-1) as ReaderMove).to,
  }));
}
