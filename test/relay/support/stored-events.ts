import type { EventName } from '@screen-advertising/core';
import type { QueryResult } from 'pg';

export interface StoredEvents {
  readonly count: number;
  readonly type: EventName;
  /** `waiting`: not attempted yet. `pending`: attempted once, and due again. */
  readonly state: 'waiting' | 'pending' | 'delivered' | 'dead';
  /** Age of the newest one. Default: 0. */
  readonly secondsAgo?: number;
  /** Between two of them. Default: 1. */
  readonly secondsBetween?: number;
}

/** As the relay hashes a value of a source that its search finds. */
const hashOf = (text: string) =>
  `('x' || encode(substr(sha256(convert_to(source.number || ' ' || ${text}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;

const statement = `
WITH turn AS MATERIALIZED (
  SELECT pg_advisory_xact_lock('event_position'::regclass::bigint)
), made AS (
  SELECT nth, uuidv7(make_interval(secs => age)) AS id,
    clock_timestamp() + make_interval(secs => age) AS at,
    format('lead-%s@example.com', $1::integer - nth + ceil($4::float8 / $5::float8)) AS email
  FROM turn CROSS JOIN generate_series(1, $1::integer) AS nth
  CROSS JOIN LATERAL (SELECT (nth - $1::integer) * $5::float8 - $4::float8) AS past (age)
), stored AS (
  INSERT INTO event (source_number, id, key, type, body, search_hashes, received_at)
  SELECT source.number, id, 'id:' || encode(sha256(convert_to(id::text, 'UTF8')), 'base64'), $2::text,
    convert_to(format('{"id":"%s","type":"%s","data":{"sent_at":0,"email":"%s"}}', id, $2::text, email), 'UTF8'),
    ARRAY[${hashOf('id::text')}, ${hashOf("'0'")}, ${hashOf('email')}], at
  FROM made, (SELECT number FROM source ORDER BY number LIMIT 1) AS source ORDER BY nth
  RETURNING source_number, position, received_at
), delivered AS (
  INSERT INTO delivery
    (source_number, position, subscription_number, state, attempts, attempts_since_replay, replays, next_at)
  SELECT stored.source_number, stored.position, subscription.number, $3::text, 1, 1, 0,
    CASE WHEN $3::text = 'pending' THEN stored.received_at END
  FROM stored JOIN subscription USING (source_number)
  WHERE $3::text <> 'waiting' AND $2::text = ANY (subscription.events)
  RETURNING source_number, position, subscription_number
), moved AS (
  UPDATE subscription SET position = (SELECT max(position) FROM stored)
  WHERE $3::text <> 'waiting' AND $2::text = ANY (subscription.events)
)
INSERT INTO attempt (source_number, position, subscription_number, number, at, status, duration_ms)
SELECT source_number, position, subscription_number, 1, stored.received_at,
  CASE WHEN $3::text = 'delivered' THEN 200 ELSE 500 END, 5
FROM delivered JOIN stored USING (source_number, position)`;

/**
 * Past events of the first source, with their deliveries to all subscribers. Each has a different email address:
 * `lead-0@example.com` is that of the newest.
 */
export function storeEvents(
  database: { query(text: string, values: unknown[]): Promise<QueryResult> },
  { count, type, state, secondsAgo = 0, secondsBetween = 1 }: StoredEvents,
): Promise<QueryResult> {
  return database.query(statement, [count, type, state, secondsAgo, secondsBetween]);
}
