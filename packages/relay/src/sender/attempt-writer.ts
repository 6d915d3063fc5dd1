import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import type { Pool } from 'pg';
import { asColumns, Batches } from '../database/batches.ts';
import { namesFor } from '../database/reading-subscriptions.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { DeliveryState, ResponseRecord } from '../database/stored-values.ts';
import { reasonErased } from '../erasure/erase-events.ts';
import { reasonNotDesired } from '../subscriptions/dead-reasons.ts';
import type { Move } from './work.ts';

/** An attempt and its effect on the delivery. */
export interface Result {
  readonly source: number;
  /** Of the event in the log. */
  readonly position: string;
  /** The event's ID. */
  readonly event: string;
  readonly subscription: number;
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
  /** Whether to report it. */
  readonly isProblem: boolean;
}

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

/** What belongs into one transaction. */
export interface Written {
  readonly result?: Result;
  readonly moves: readonly Move[];
}

const deadType: RelayProblemName = 'relay.delivery_dead';

/**
 * Results, and where readers are after them. What is lost in a power cut only causes duplicates, so
 * the commit does not wait for the disk. A delivery that was delivered stays so, whatever an attempt
 * that began earlier ends with; one that died meanwhile gets no retry. After a redelivery that came
 * meanwhile, it stays due. A reader that was moved meanwhile stays where it was moved to: it skips
 * what has a delivery. Of an event that was erased meanwhile, no response is kept and no retry
 * follows; nor does one of an event whose type was given up, also if it is wanted again since.
 */
const statement = `
WITH setting AS (SELECT set_config('synchronous_commit', 'off', true)),
result AS (
  SELECT source, position, subscription, number, attempts_since_replay, replays, at, status, error,
    duration, is_problem, event,
    CASE WHEN NOT is_erased THEN response END AS response,
    CASE WHEN why IS NULL THEN state ELSE 'dead' END AS state, coalesce(why, reason) AS reason,
    CASE WHEN why IS NULL THEN next_at END AS next_at
  FROM setting, unnest(
    $1::integer[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::timestamptz[],
    $7::integer[], $8::text[], $9::integer[], $10::jsonb[], $11::text[], $12::text[],
    $13::timestamptz[], $14::boolean[], $15::integer[], $16::uuid[]
  ) AS one (source, position, subscription, number, attempts_since_replay, at, status, error, duration,
    response, state, reason, next_at, is_problem, replays, event),
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
  SELECT source, position, subscription, number, at, status, error, duration, response FROM result
  ON CONFLICT DO NOTHING
), noted AS (
  INSERT INTO problem (subscription_number, type, count, at, event_id)
  SELECT subscription, '${deadType}', count(*), min(at), max(event::text)::uuid
  FROM result WHERE is_problem GROUP BY subscription ORDER BY subscription
  ON CONFLICT (subscription_number, type) DO UPDATE SET count = problem.count + excluded.count,
    at = CASE problem.count WHEN 0 THEN excluded.at ELSE problem.at END, event_id = excluded.event_id
), moved AS (
  UPDATE subscription SET position = one.to_position
  FROM setting, unnest($17::integer[], $18::bigint[], $19::bigint[], $20::integer[])
    AS one (number, from_position, to_position, generation)
  WHERE subscription.number = one.number AND subscription.position = one.from_position
    AND subscription.generation = one.generation
), worked AS (
  UPDATE job SET position = one.to_position
  FROM setting, unnest($21::bigint[], $22::bigint[], $23::bigint[])
    AS one (number, from_position, to_position)
  WHERE job.number = one.number AND job.position = one.from_position
    AND one.to_position < job.until
), ended AS (
  DELETE FROM job USING unnest($21::bigint[], $23::bigint[]) AS one (number, to_position)
  WHERE job.number = one.number AND one.to_position >= job.until
)
INSERT INTO delivery AS known (source_number, position, subscription_number, state, reason, attempts,
  attempts_since_replay, replays, next_at)
SELECT source, position, subscription, state, reason, number, attempts_since_replay, replays, next_at
FROM result ORDER BY source, position, subscription
ON CONFLICT (source_number, position, subscription_number) DO UPDATE
SET attempts = excluded.attempts,
${['state', 'reason', 'attempts_since_replay', 'next_at', 'replays']
  .map((name) => `  ${name} = CASE WHEN ${applies} THEN excluded.${name} ELSE known.${name} END`)
  .join(',\n')}
WHERE known.attempts < excluded.attempts
  AND (known.state IN ('pending', 'dead') OR known.replays < excluded.replays)`;

const mostResults = 500;
/** If the process dies, the deliveries of this interval are sent twice. */
const lingerMs = 25;

/** Writes the results of all subscriptions of a process in batches. */
export class AttemptWriter {
  readonly #batches: Batches<Written, void>;

  constructor(pool: Pool) {
    const write = async (all: readonly Written[]) => {
      const rows = all.flatMap(({ result }) => (result ? [rowOf(result)] : []));
      const moves = merged(all.flatMap((one) => one.moves));
      const values = [
        ...columns(16, rows),
        ...columns(4, moves.flatMap(rowOfLogMove)),
        ...columns(3, moves.flatMap(rowOfJobMove)),
      ];
      await retryConflict(() => pool.query({ name: 'write-results', text: statement, values }));
      return [];
    };
    this.#batches = new Batches(write, { most: mostResults, lingerMs });
  }

  /** Resolves once it is in the database. */
  write(written: Written): Promise<void> {
    return this.#batches.add(written);
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

/** One move of each reader, from the first position to the last. */
function merged(moves: readonly Move[]): readonly Move[] {
  const byReader = Map.groupBy(moves, ({ reader }) => `${reader.kind} ${reader.number}`);
  return [...byReader.values()].map((all) => ({
    ...(all[0] as Move),
    to: (all.at(-1) as Move).to,
  }));
}

function rowOfLogMove({ reader, from, to }: Move): unknown[][] {
  return reader.kind === 'log' ? [[reader.number, from, to, reader.generation]] : [];
}

function rowOfJobMove({ reader, from, to }: Move): unknown[][] {
  return reader.kind === 'job' ? [[reader.number, from, to]] : [];
}

function columns(count: number, rows: readonly (readonly unknown[])[]): unknown[][] {
  return rows.length > 0 ? asColumns(rows) : Array.from({ length: count }, () => []);
}

function rowOf(result: Result): unknown[] {
  return [
    result.source,
    result.position,
    result.subscription,
    result.number,
    result.attemptsSinceReplay,
    result.at,
    result.status,
    result.error,
    result.durationMs,
    result.response,
    result.state,
    result.reason,
    result.nextAt,
    result.isProblem,
    result.replays,
    result.event,
  ];
}
