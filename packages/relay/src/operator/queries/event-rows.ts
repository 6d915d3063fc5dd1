import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import { sqlIf } from '../../database/sql-if.ts';
import { longestListedBody } from '../../records/delivery-rows.ts';
import { foundBy } from '../../records/event-search.ts';

export interface EventRow {
  readonly id: string;
  /** In the log. */
  readonly position: string;
  readonly source: string;
  readonly type: string;
  readonly received_at: Date;
  /** Null for a long one. */
  readonly body: Buffer | null;
  /** Deliveries of this event by state; null without any. */
  readonly deliveries: Readonly<Record<string, number>> | null;
}

interface EventFilter {
  /** Default: all sources. */
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** The ID of an event, or a whole value in its body. */
  readonly search?: string | undefined;
  /** Start after this position. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Events of all sources, newest first: reads the newest of each source by index, then merges them.
 */
export async function listEvents(
  { db }: RelayContext,
  { source, type, search, after, limit }: EventFilter,
): Promise<readonly EventRow[]> {
  const found = search === undefined ? undefined : await foundBy(db, search);
  const { rows } = await sql<EventRow>`
    SELECT page.id, page.position, page.source, page.type, page.received_at, states.deliveries,
      CASE WHEN octet_length(event.body) <= ${longestListedBody} THEN event.body END AS body
    FROM (
      SELECT newest.*, source.name AS source FROM source CROSS JOIN LATERAL (
        SELECT event.source_number, event.id, event.position, event.type, event.received_at FROM event
        WHERE event.source_number = source.number
          ${sqlIf(type, (is) => sql`AND event.type = ${is}`)}
          ${sqlIf(found, (condition) => sql`AND ${condition}`)}
          ${sqlIf(after, (position) => sql`AND event.position < ${position}::bigint`)}
        ORDER BY event.source_number DESC, event.position DESC LIMIT ${limit}
      ) AS newest
      ${sqlIf(source, (name) => sql`WHERE source.name = ${name}`)}
      ORDER BY newest.position DESC LIMIT ${limit}
    ) AS page
    JOIN event ON event.source_number = page.source_number AND event.position = page.position
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(counted.state, counted.number) AS deliveries FROM (
        SELECT delivery.state, count(*) AS number FROM delivery
        WHERE delivery.source_number = page.source_number AND delivery.position = page.position
        GROUP BY delivery.state
      ) AS counted
    ) AS states
    ORDER BY page.position DESC`.execute(db);
  return rows;
}
