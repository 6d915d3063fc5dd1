import type { Pool } from 'pg';
import type { DeliveryState } from '../database/tables.ts';

/** One attempt, and what it makes of its delivery. */
export interface Result {
  readonly source: number;
  readonly event: string;
  readonly subscription: number;
  /** Of the attempt, from 1. */
  readonly number: number;
  readonly tries: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
}

/**
 * A result that a power cut takes away only makes a delivery come twice, so its commit does not wait
 * for the disk.
 */
const statement = `
WITH setting AS (SELECT set_config('synchronous_commit', 'off', true)),
result AS (
  SELECT * FROM setting, unnest(
    $1::integer[], $2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::timestamptz[],
    $7::integer[], $8::text[], $9::integer[], $10::text[], $11::text[], $12::timestamptz[]
  ) AS one (source, event, subscription, number, tries, at, status, error, duration, state, reason, next_at)
), attempted AS (
  INSERT INTO attempt (source_number, event_id, subscription_number, number, at, status, error, duration_ms)
  SELECT source, event, subscription, number, at, status, error, duration FROM result
  ON CONFLICT DO NOTHING
)
UPDATE delivery
SET state = result.state, reason = result.reason, attempts = result.number, tries = result.tries, next_at = result.next_at
FROM result
WHERE delivery.source_number = result.source
  AND delivery.event_id = result.event
  AND delivery.subscription_number = result.subscription
  AND delivery.attempts < result.number`;

/** Writes the results of all lanes of a process together, one statement at a time. */
export class Ledger {
  readonly #pool: Pool;
  #waiting: Result[] = [];
  #writing: Promise<void> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Resolves once the result is in the database, with all that waited beside it. */
  async write(result: Result): Promise<void> {
    this.#waiting.push(result);
    // What is being written now was taken before; the next statement takes this one along.
    await this.#writing?.catch(() => undefined);
    this.#writing ??= this.#flush();
    await this.#writing;
  }

  async #flush(): Promise<void> {
    const results = this.#waiting;
    this.#waiting = [];
    try {
      await this.#pool.query({
        name: 'write-results',
        text: statement,
        values: columnsOf(results),
      });
    } finally {
      this.#writing = undefined;
    }
  }
}

function columnsOf(results: readonly Result[]): unknown[][] {
  const rows = results.map((one) => [
    one.source,
    one.event,
    one.subscription,
    one.number,
    one.tries,
    one.at,
    one.status,
    one.error,
    one.durationMs,
    one.state,
    one.reason,
    one.nextAt,
  ]);
  return Array.from({ length: 12 }, (_, column) => rows.map((row) => row[column]));
}
