import type { Pool } from 'pg';
import type { RelayContext } from '../context.ts';
import { Batches, columnsOf } from '../database/batches.ts';
import type { Lease } from './leases.ts';

export interface DueDelivery {
  readonly event: string;
  readonly type: string;
  readonly attempts: number;
  readonly attemptsSinceReplay: number;
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

const statement = `
SELECT lease.nth::integer, due.* FROM unnest($1::integer[], $2::integer[], $4::integer[])
  WITH ORDINALITY AS lease (source, subscription, most, nth)
CROSS JOIN LATERAL (
  SELECT delivery.event_id AS event, delivery.attempts,
    delivery.attempts_since_replay AS "attemptsSinceReplay", delivery.next_at, event.type, event.body
  FROM delivery
  JOIN event ON event.source_number = delivery.source_number AND event.id = delivery.event_id
  WHERE delivery.subscription_number = lease.subscription AND delivery.state = 'pending'
    AND delivery.next_at <= $3 AND delivery.source_number = lease.source
  ORDER BY delivery.next_at, delivery.event_id LIMIT lease.most
) AS due
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
