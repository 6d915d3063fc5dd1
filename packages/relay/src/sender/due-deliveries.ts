import type { Pool } from 'pg';
import type { RelayContext } from '../context.ts';
import { Batches, columnsOf } from '../database/batches.ts';
import type { Lease } from './leases.ts';

export interface DueDelivery {
  readonly event: string;
  readonly type: string;
  readonly attempts: number;
  readonly attemptsSinceReplay: number;
  readonly replays: number;
  readonly body: Buffer;
}

export const batchSize = 50;
/** A subscriber that is slow or fails gives its place back before it gets many. */
export const slowBatchSize = 5;

interface Asked {
  readonly lease: Lease;
  readonly most: number;
}

/** Subscriptions that are read in the same tick share a statement. */
const mostLeases = 50;

/**
 * Limited before events are joined, by a constant, and joined one by one: for a subscription with a
 * large backlog PostgreSQL would otherwise read all of it, and for any other beside it all events.
 */
const statement = `
SELECT lease.nth::integer, due.*, event.type, event.body
FROM unnest($1::integer[], $2::integer[], $4::integer[])
  WITH ORDINALITY AS lease (source, subscription, most, nth)
CROSS JOIN LATERAL (
  SELECT * FROM (
    SELECT event_id AS event, attempts, attempts_since_replay AS "attemptsSinceReplay", replays,
      next_at
    FROM delivery
    WHERE subscription_number = lease.subscription AND state = 'pending'
      AND next_at <= $3 AND source_number = lease.source
    ORDER BY next_at, event_id LIMIT ${batchSize}
  ) AS first
  LIMIT lease.most
) AS due
CROSS JOIN LATERAL (
  SELECT type, body FROM event
  WHERE source_number = lease.source AND id = due.event
  OFFSET 0
) AS event
ORDER BY lease.nth, due.next_at, due.event`;

/** The next deliveries of each subscription, earliest first. */
export class DueDeliveries {
  readonly #batches: Batches<Asked, readonly DueDelivery[]>;

  constructor({ pool, clock }: RelayContext) {
    this.#batches = new Batches((asked) => read(pool, asked, new Date(clock.now())), {
      most: mostLeases,
    });
  }

  of(lease: Lease, most: number): Promise<readonly DueDelivery[]> {
    return this.#batches.add({ lease, most });
  }
}

async function read(pool: Pool, asked: readonly Asked[], now: Date): Promise<DueDelivery[][]> {
  const [sources, subscriptions, limits] = columnsOf(
    asked.map(({ lease: { source, subscription }, most }) => [source, subscription, most]),
  );
  const { rows } = await pool.query<DueDelivery & { nth: number }>({
    name: 'due-deliveries',
    text: statement,
    values: [sources, subscriptions, now, limits],
  });
  const due = asked.map((): DueDelivery[] => []);
  for (const row of rows) due[row.nth - 1]?.push(row);
  return due;
}
