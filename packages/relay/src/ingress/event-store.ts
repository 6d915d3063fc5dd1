import type { RelayContext } from '../context.ts';
import { Batches, columnsOf } from '../database/batches.ts';
import { namesFor } from '../database/names-for.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import { uuidAt } from '../database/uuid.ts';

export interface ArrivedEvent {
  readonly source: number;
  /** From the core's `eventKey`. */
  readonly key: string;
  readonly type: string;
  readonly body: Uint8Array;
  /** From `searchHashes`. */
  readonly searchHashes: string;
  /** Milliseconds since 1970, as the signature says. */
  readonly signedAt: number;
}

interface Stored {
  readonly isNew: boolean;
  readonly deliveries: number;
}

/** Two redemptions of a coupon can have the same body, so only this long counts as a duplicate. */
const bodyWindow = "interval '15 minutes'";

const duplicate: Stored = { isNew: false, deliveries: 0 };

/** At the largest body size, a statement has 50 MB. */
const mostEvents = 50;

/**
 * Stores events (unless they are duplicates) and their deliveries in one statement: one
 * transaction, one round trip. An event without an ID is a duplicate if the same body arrived in
 * the last 15 minutes, and later unless it was signed after the last one. So a recorded request can
 * never be stored again. Rows are in the order of the keys: statements that lock the same keys in
 * another order would deadlock. The constraint on keys covers their latest generation, and the lookup
 * the earlier ones, which nothing adds to any more: a new one starts when no statement runs.
 *
 * The lock lasts until the commit is visible. So a reader who sees a position sees every lower one, and
 * can continue after it without missing any. Processes wait for each other's commit, with larger
 * batches.
 */
const statement = `
WITH turn AS MATERIALIZED (
  SELECT pg_advisory_xact_lock('event_position'::regclass::bigint)
), arrived AS MATERIALIZED (
  SELECT one.* FROM turn CROSS JOIN unnest(
    $1::integer[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::text[],
    $7::timestamptz[], $8::timestamptz[]
  ) AS one (source, id, key, type, body, search_hashes, received_at, signed_at)
), unseen AS (
  INSERT INTO body AS seen (source_number, key, received_at, signed_at)
  SELECT source, key, received_at, signed_at FROM arrived WHERE key LIKE 'body:%'
  ORDER BY source, key
  ON CONFLICT (source_number, key) DO UPDATE
    SET received_at = excluded.received_at, signed_at = excluded.signed_at
    WHERE seen.received_at <= excluded.received_at - ${bodyWindow}
      AND seen.signed_at < excluded.signed_at
  RETURNING source_number, key
), unknown AS (
  INSERT INTO event_key (generation, source_number, key)
  SELECT coalesce((SELECT max(started_at) FROM key_generation), '-infinity'), source, key
  FROM arrived
  WHERE key LIKE 'id:%' AND (
    SELECT true FROM event_key AS known
    WHERE known.source_number = arrived.source AND known.key = arrived.key LIMIT 1
  ) IS NULL
  ORDER BY source, key
  ON CONFLICT DO NOTHING
  RETURNING source_number, key
), stored AS (
  INSERT INTO event (source_number, id, key, type, body, search_hashes, received_at)
  SELECT source, id, key, type, body, search_hashes::bigint[], received_at FROM arrived
  WHERE (source, key) IN (SELECT * FROM unseen UNION ALL SELECT * FROM unknown)
  RETURNING source_number, id, type, received_at
), delivered AS (
  INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
  SELECT stored.source_number, stored.id, subscription.number, stored.received_at
  FROM stored JOIN subscription ON subscription.source_number = stored.source_number
  WHERE subscription.state = 'active'
    AND subscription.deleted_at IS NULL
    AND subscription.events && ${namesFor('stored.type')}
  RETURNING event_id
), counted AS (
  SELECT event_id, count(*)::integer AS deliveries FROM delivered GROUP BY event_id
)
SELECT stored.id, coalesce(counted.deliveries, 0) AS deliveries
FROM stored LEFT JOIN counted ON counted.event_id = stored.id`;

/** Stores arriving events. All that arrive during a commit share the next one. */
export class EventStore {
  readonly #context: RelayContext;
  readonly #batches = new Batches<ArrivedEvent, Stored>((events) => this.#writeAll(events), {
    most: mostEvents,
  });

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Resolves after the commit. */
  write(event: ArrivedEvent): Promise<Stored> {
    return this.#batches.add(event);
  }

  async #writeAll(events: readonly ArrivedEvent[]): Promise<Stored[]> {
    const stored = new Map<ArrivedEvent, Stored>();
    for (let left = events; left.length > 0; left = left.filter((event) => !stored.has(event))) {
      // A duplicate must find the stored original, so it waits for the next statement.
      const keys = left.map(({ source, key }) => `${source} ${key}`);
      const firsts = left.filter((_, nth) => keys.indexOf(keys[nth] ?? '') === nth);
      const results = await this.#write(firsts);
      for (const [nth, event] of firsts.entries()) stored.set(event, results[nth] ?? duplicate);
    }
    return events.map((event) => stored.get(event) ?? duplicate);
  }

  async #write(events: readonly ArrivedEvent[]): Promise<Stored[]> {
    const { pool, clock } = this.#context;
    const now = clock.now();
    const ids = events.map(() => uuidAt(now));
    const rows = events.map(({ source, key, type, body, searchHashes, signedAt }, nth) => [
      source,
      ids[nth],
      key,
      type,
      body,
      searchHashes,
      new Date(now),
      new Date(signedAt),
    ]);
    // Named, so that each connection plans it only once.
    const query = { name: 'store-events', text: statement, values: columnsOf(rows) };
    const { rows: stored } = await retryConflict(() =>
      pool.query<{ id: string; deliveries: number }>(query),
    );
    const deliveries = new Map(stored.map((one) => [one.id, one.deliveries]));
    return ids.map((id) => {
      const made = deliveries.get(id);
      return made === undefined ? duplicate : { isNew: true, deliveries: made };
    });
  }
}
