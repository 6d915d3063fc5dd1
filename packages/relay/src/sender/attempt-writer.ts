import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import type { Pool } from 'pg';
import { Batches, columnsOf } from '../database/batches.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { ResponseRecord } from '../database/stored-values.ts';
import type { DeliveryState } from '../database/tables.ts';

/** An attempt and its effect on the delivery. */
export interface Result {
  readonly source: number;
  readonly event: string;
  readonly subscription: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly attemptsSinceReplay: number;
  /** Replays before the attempt. */
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

const deadType: RelayProblemName = 'relay.delivery_dead';

/**
 * A result that is lost in a power cut only causes a duplicate delivery, so its commit does not
 * wait for the disk. A delivery can have died since the attempt began, but not have been delivered by
 * an earlier one. After a replay that came meanwhile, it stays due.
 */
const statement = `
WITH setting AS (SELECT set_config('synchronous_commit', 'off', true)),
result AS (
  SELECT * FROM setting, unnest(
    $1::integer[], $2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::timestamptz[],
    $7::integer[], $8::text[], $9::integer[], $10::jsonb[], $11::text[], $12::text[],
    $13::timestamptz[], $14::boolean[], $15::integer[]
  ) AS one (source, event, subscription, number, attempts_since_replay, at, status, error, duration,
    response, state, reason, next_at, is_problem, replays)
), attempted AS (
  INSERT INTO attempt (source_number, event_id, subscription_number, number, at, status, error,
    duration_ms, response)
  SELECT source, event, subscription, number, at, status, error, duration, response FROM result
  ON CONFLICT DO NOTHING
), noted AS (
  INSERT INTO problem (subscription_number, type, count, at, event_id)
  SELECT subscription, '${deadType}', count(*), min(at), max(event::text)::uuid
  FROM result WHERE is_problem GROUP BY subscription ORDER BY subscription
  ON CONFLICT (subscription_number, type) DO UPDATE SET count = problem.count + excluded.count,
    at = CASE problem.count WHEN 0 THEN excluded.at ELSE problem.at END, event_id = excluded.event_id
)
UPDATE delivery
SET attempts = result.number,
${['state', 'reason', 'attempts_since_replay', 'next_at']
  .map(
    (name) =>
      `  ${name} = CASE delivery.replays WHEN result.replays THEN result.${name} ELSE delivery.${name} END`,
  )
  .join(',\n')}
FROM result
WHERE delivery.source_number = result.source
  AND delivery.event_id = result.event
  AND delivery.subscription_number = result.subscription
  AND delivery.state IN ('pending', 'dead')
  AND delivery.attempts < result.number`;

const mostResults = 500;
/** If the process dies, the deliveries of this interval are sent twice. */
const lingerMs = 25;

/** Writes the results of all subscriptions of a process in batches. */
export class AttemptWriter {
  readonly #batches: Batches<Result, void>;

  constructor(pool: Pool) {
    const write = async (results: readonly Result[]) => {
      const values = columnsOf(results.map(rowOf));
      await retryConflict(() => pool.query({ name: 'write-results', text: statement, values }));
      return [];
    };
    this.#batches = new Batches(write, { most: mostResults, lingerMs });
  }

  /** Resolves once the result is in the database. */
  write(result: Result): Promise<void> {
    return this.#batches.add(result);
  }

  /** For a caller that waits for its results. */
  flush(): void {
    this.#batches.flush();
  }
}

function rowOf(result: Result): unknown[] {
  return [
    result.source,
    result.event,
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
  ];
}
