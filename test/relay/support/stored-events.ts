import type { EventName } from '@screen-advertising/core';
import type { Client, QueryResult } from 'pg';

export interface StoredEvents {
  readonly count: number;
  readonly type: EventName;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** Age of the newest one. Default: 0. */
  readonly secondsAgo?: number;
  /** Between two of them. Default: 1. */
  readonly secondsBetween?: number;
}

/** As the relay hashes a value that its search finds. */
const hashOf = (text: string) =>
  `('x' || encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;

const statement = `
WITH made AS (
  SELECT uuidv7(make_interval(secs => age)) AS id,
    clock_timestamp() + make_interval(secs => age) AS at,
    format('lead-%s@example.com', $1::integer - nth + ceil($4::float8 / $5::float8)) AS email
  FROM generate_series(1, $1::integer) AS nth
  CROSS JOIN LATERAL (SELECT (nth - $1::integer) * $5::float8 - $4::float8) AS past (age)
), known AS (
  INSERT INTO event_key (generation, source_number, key)
  SELECT coalesce((SELECT max(started_at) FROM key_generation), '-infinity'), source.number,
    'id:' || encode(sha256(convert_to(id::text, 'UTF8')), 'base64')
  FROM source, made
), stored AS (
  INSERT INTO event (source_number, id, key, type, body, search_hashes, received_at)
  SELECT source.number, id, 'id:' || encode(sha256(convert_to(id::text, 'UTF8')), 'base64'), $2::text,
    convert_to(format('{"id":"%s","type":"%s","data":{"sent_at":0,"email":"%s"}}', id, $2::text, email), 'UTF8'),
    ARRAY[${hashOf('id::text')}, ${hashOf("'0'")}, ${hashOf('email')}], at
  FROM source, made
  RETURNING source_number, id, received_at
), delivered AS (
  INSERT INTO delivery
    (source_number, event_id, subscription_number, state, attempts, attempts_since_replay, next_at)
  SELECT stored.source_number, stored.id, subscription.number, $3::text,
    ($3::text <> 'pending')::integer, ($3::text <> 'pending')::integer,
    CASE WHEN $3::text = 'pending' THEN stored.received_at END
  FROM stored, subscription WHERE $2::text = ANY (subscription.events)
  RETURNING source_number, event_id, subscription_number
)
INSERT INTO attempt (source_number, event_id, subscription_number, number, at, status, duration_ms)
SELECT source_number, event_id, subscription_number, 1, stored.received_at, 200, 5
FROM delivered JOIN stored USING (source_number) WHERE stored.id = event_id AND $3::text <> 'pending'`;

/**
 * Past events with their deliveries to all subscribers. Each has a different email address:
 * `lead-0@example.com` is that of the newest.
 */
export function storeEvents(
  client: Client,
  { count, type, state, secondsAgo = 0, secondsBetween = 1 }: StoredEvents,
): Promise<QueryResult> {
  return client.query(statement, [count, type, state, secondsAgo, secondsBetween]);
}
