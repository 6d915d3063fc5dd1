import type { RelayContext } from '../context.ts';
import type { Lane } from './lanes.ts';

export interface DueDelivery {
  readonly event: string;
  readonly attempts: number;
  readonly tries: number;
  readonly body: Buffer;
}

export const batchSize = 50;

/** What a lane delivers next, the earliest due first. */
export async function dueDeliveries(
  { pool, clock }: RelayContext,
  { source, subscription }: Lane,
): Promise<DueDelivery[]> {
  const { rows } = await pool.query<DueDelivery>({
    name: 'due-deliveries',
    text: `SELECT delivery.event_id AS event, delivery.attempts, delivery.tries, event.body
      FROM delivery
      JOIN event ON event.source_number = delivery.source_number AND event.id = delivery.event_id
      WHERE delivery.subscription_number = $2 AND delivery.state = 'pending' AND delivery.next_at <= $3
        AND delivery.source_number = $1
      ORDER BY delivery.next_at, delivery.event_id LIMIT $4`,
    values: [source, subscription, new Date(clock.now()), batchSize],
  });
  return rows;
}

/** What deliveries of a token's subscriptions are signed with. */
export async function signingSecrets(
  { db, box, clock }: RelayContext,
  token: number,
): Promise<string[]> {
  const row = await db
    .selectFrom('token')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('number', '=', token)
    .executeTakeFirstOrThrow();
  const secrets = [box.open(row.secret, 'token')];
  if (row.previous_secret && row.previous_until && row.previous_until.getTime() > clock.now()) {
    secrets.push(box.open(row.previous_secret, 'token'));
  }
  return secrets;
}
