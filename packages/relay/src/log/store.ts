import { shortQueryTimeout } from '../base/database.ts';
import { uuidAt } from '../base/ids.ts';
import { BatchedStatement, retryOnConflict, rowsToColumns } from '../base/statements.ts';
import type { RelayContext } from './context.ts';

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

/** Two redemptions of a coupon can have the same body, so only this long counts as a duplicate. */
const bodyWindow = "interval '15 minutes'";

/** At the largest body size, a statement has 50 MB. */
const maxEvents = 50;
/** While one waits for the disk, others are on their way: 0.60 of the rate of bare commits, with one 0.56. */
const maxStatements = 3;

/**
 * Appends events to the log, unless they are duplicates, in one statement: one transaction, one round
 * trip. An event without an ID is a duplicate if the same body arrived in the last 15 minutes, and
 * later unless it was signed after the last one. So a recorded request can never be stored again.
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
  ) WITH ORDINALITY
    AS one (source, id, key, type, body, search_hashes, received_at, signed_at, nth)
), unseen AS (
  INSERT INTO seen_body AS seen (source_number, key, received_at, signed_at)
  SELECT source, key, received_at, signed_at FROM arrived WHERE key LIKE 'body:%'
  ON CONFLICT (source_number, key) DO UPDATE
    SET received_at = excluded.received_at, signed_at = excluded.signed_at
    WHERE seen.received_at <= excluded.received_at - ${bodyWindow}
      AND seen.signed_at < excluded.signed_at
  RETURNING source_number, key
)
INSERT INTO event (source_number, id, key, type, body, search_hashes, received_at)
SELECT source, id, key, type, body, search_hashes::bigint[], received_at FROM arrived
WHERE key LIKE 'id:%' OR (source, key) IN (SELECT * FROM unseen)
ORDER BY nth
ON CONFLICT (source_number, key) WHERE key LIKE 'id:%' DO NOTHING
RETURNING id`;

/** Stores arriving events. All that arrive while statements run share the next one. */
export class EventStore {
  readonly #context: RelayContext;
  readonly #batches = new BatchedStatement<ArrivedEvent, boolean>(
    (events) => this.#writeAll(events),
    {
      most: maxEvents,
      atOnce: maxStatements,
    },
  );

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Resolves after the commit, with whether the event is new. */
  async write(event: ArrivedEvent): Promise<boolean> {
    const isNew = await this.#batches.add(event);
    if (isNew) this.#context.wake();
    return isNew;
  }

  async #writeAll(events: readonly ArrivedEvent[]): Promise<boolean[]> {
    const results = new Map<ArrivedEvent, boolean>();
    for (let left = events; left.length > 0; left = left.filter((event) => !results.has(event))) {
      // A duplicate must find the stored original, so it waits for the next statement.
      const keys = left.map(({ source, key }) => `${source} ${key}`);
      const firsts = left.filter((_, nth) => keys.indexOf(keys[nth] ?? '') === nth);
      const areNew = await this.#write(firsts);
      for (const [nth, event] of firsts.entries()) results.set(event, areNew[nth] ?? false);
    }
    return events.map((event) => results.get(event) ?? false);
  }

  async #write(events: readonly ArrivedEvent[]): Promise<boolean[]> {
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
    const query = {
      name: 'store-events',
      text: statement,
      values: rowsToColumns(rows),
      ...shortQueryTimeout,
    };
    const { rows: stored } = await retryOnConflict(() => pool.query<{ id: string }>(query));
    const found = new Set(stored.map(({ id }) => id));
    return ids.map((id) => found.has(id));
  }
}
