import type { Pool } from 'pg';
import type { RelayContext } from '../context.ts';
import { Batches, columnsOf } from '../database/batches.ts';
import { openSecrets } from '../secrets/open-secrets.ts';
import type { Lane } from './lanes.ts';

export interface DueDelivery {
  readonly event: string;
  readonly attempts: number;
  readonly tries: number;
  readonly body: Buffer;
}

export const batchSize = 50;

/** Lanes that ask in the same tick share a statement. */
const mostLanes = 50;

const statement = `
SELECT lane.nth::integer, due.* FROM unnest($1::integer[], $2::integer[])
  WITH ORDINALITY AS lane (source, subscription, nth)
CROSS JOIN LATERAL (
  SELECT delivery.event_id AS event, delivery.attempts, delivery.tries, delivery.next_at, event.body
  FROM delivery
  JOIN event ON event.source_number = delivery.source_number AND event.id = delivery.event_id
  WHERE delivery.subscription_number = lane.subscription AND delivery.state = 'pending'
    AND delivery.next_at <= $3 AND delivery.source_number = lane.source
  ORDER BY delivery.next_at, delivery.event_id LIMIT $4
) AS due
ORDER BY lane.nth, due.next_at, due.event`;

/** The next deliveries of each lane, earliest first. */
export class DueDeliveries {
  readonly #batches: Batches<Lane, readonly DueDelivery[]>;

  constructor({ pool, clock }: RelayContext) {
    this.#batches = new Batches((lanes) => read(pool, lanes, new Date(clock.now())), {
      most: mostLanes,
    });
  }

  of(lane: Lane): Promise<readonly DueDelivery[]> {
    return this.#batches.add(lane);
  }
}

async function read(pool: Pool, lanes: readonly Lane[], now: Date): Promise<DueDelivery[][]> {
  const asked = columnsOf(lanes.map(({ source, subscription }) => [source, subscription]));
  const { rows } = await pool.query<DueDelivery & { nth: number }>({
    name: 'due-deliveries',
    text: statement,
    values: [...asked, now, batchSize],
  });
  const due = lanes.map((): DueDelivery[] => []);
  for (const row of rows) due[row.nth - 1]?.push(row);
  return due;
}

/** The signing secrets for deliveries of a token's subscriptions. */
export async function signingSecrets(context: RelayContext, token: number): Promise<string[]> {
  const sealed = await context.db
    .selectFrom('token')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('number', '=', token)
    .executeTakeFirstOrThrow();
  return openSecrets(context, sealed, 'token');
}
