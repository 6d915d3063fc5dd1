import type { RelayContext } from '../context.ts';
import { uuidAt } from '../database/uuid.ts';

export interface ArrivedEvent {
  readonly source: number;
  /** As the core's `eventKey` gives it. */
  readonly key: string;
  readonly type: string;
  readonly body: Uint8Array;
  /** Milliseconds since 1970, as the signature says. */
  readonly signedAt: number;
}

/** Two redemptions of one coupon may have the same body, so it counts as a duplicate so long only. */
const bodyWindow = "interval '15 minutes'";

/**
 * One statement, so one transaction and one round trip: the event, unless it is a duplicate, and its
 * deliveries. An event without an ID is a duplicate within 15 minutes of the same body, and later
 * unless it was signed after the last one: a recorded request can never be stored again.
 */
const statement = `
WITH unseen AS (
  INSERT INTO body AS seen (source_number, key, received_at, signed_at)
  SELECT $1::integer, $3::text, $6::timestamptz, $7::timestamptz WHERE $3::text LIKE 'body:%'
  ON CONFLICT (source_number, key) DO UPDATE
    SET received_at = excluded.received_at, signed_at = excluded.signed_at
    WHERE seen.received_at <= excluded.received_at - ${bodyWindow}
      AND seen.signed_at < excluded.signed_at
  RETURNING 1
), stored AS (
  INSERT INTO event (source_number, id, key, type, body, received_at)
  SELECT $1::integer, $2::uuid, $3::text, $4::text, $5::bytea, $6::timestamptz
  WHERE $3::text LIKE 'id:%' OR EXISTS (SELECT FROM unseen)
  ON CONFLICT (source_number, key) WHERE key LIKE 'id:%' DO NOTHING
  RETURNING 1
), delivered AS (
  INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
  SELECT $1::integer, $2::uuid, subscription.number, $6::timestamptz
  FROM stored, subscription
  WHERE subscription.source_number = $1::integer
    AND subscription.state = 'active'
    AND subscription.deleted_at IS NULL
    AND $4::text = ANY (subscription.events)
  RETURNING 1
)
SELECT (SELECT count(*)::integer FROM stored) AS events, (SELECT count(*)::integer FROM delivered) AS deliveries`;

/** Resolves after the commit. */
export async function storeEvent(
  { pool, clock }: RelayContext,
  { source, key, type, body, signedAt }: ArrivedEvent,
): Promise<{ isNew: boolean; deliveries: number }> {
  const now = clock.now();
  const { rows } = await pool.query<{ events: number; deliveries: number }>({
    // Planned once for each connection.
    name: 'store-event',
    text: statement,
    values: [source, uuidAt(now), key, type, body, new Date(now), new Date(signedAt)],
  });
  const [row] = rows;
  return { isNew: row?.events === 1, deliveries: row?.deliveries ?? 0 };
}
