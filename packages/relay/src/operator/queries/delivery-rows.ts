import { type RawBuilder, sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import type { DeliveryKey } from '../../database/delivery-id.ts';
import type { DeliveryState } from '../../database/tables.ts';
import { sqlIf } from './sql-if.ts';

export interface DeliveryRow {
  readonly event_id: string;
  readonly subscription_number: number;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly next_at: Date | null;
  readonly source: string;
  readonly type: string;
  readonly received_at: Date;
  readonly subscription_id: string;
  readonly subscription_name: string | null;
  readonly target_url: string;
  readonly history: readonly AttemptRow[];
}

export interface AttemptRow {
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export interface DeliveryFilter {
  readonly state: 'dead' | undefined;
  readonly source: string | undefined;
  readonly event: string | undefined;
  readonly subscription: number | undefined;
  /** Start after this delivery. */
  readonly after: DeliveryKey | undefined;
  readonly limit: number;
}

/**
 * Most deliveries that a page searches: no index leads from a subscription to all of its
 * deliveries.
 */
const longestScan = 20_000;

export interface DeliveryPage {
  readonly rows: readonly DeliveryRow[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: DeliveryKey | undefined;
}

/** Deliveries of all sources, by event, newest first. */
export async function listDeliveries(
  { db }: RelayContext,
  filter: DeliveryFilter,
): Promise<DeliveryPage> {
  const { limit, subscription } = filter;
  const scan = subscription === undefined ? limit + 1 : longestScan;
  const found = sql`
    SELECT scanned.* FROM (${newest(filter, scan)}) AS scanned
    ${sqlIf(subscription, (number) => sql`WHERE scanned.subscription_number = ${number}`)}
    ORDER BY scanned.event_id DESC, scanned.subscription_number DESC LIMIT ${limit + 1}`;
  const { rows } = await described(found, sql`event_id DESC, subscription_number DESC`).execute(db);
  const shown = rows.slice(0, limit);
  if (rows.length > limit) return { rows: shown, next: keyOf(shown.at(-1)) };
  if (subscription === undefined) return { rows: shown, next: undefined };
  const { rows: rest } = await sql<DeliveryRow>`
    SELECT event_id, subscription_number FROM (${newest(filter, scan)}) AS scanned
    ORDER BY event_id DESC, subscription_number DESC OFFSET ${scan - 1} LIMIT 1`.execute(db);
  return { rows: shown, next: keyOf(rest[0]) };
}

/** Pending deliveries, next attempt first. Reads each subscription separately, by index. */
export async function listPending(
  { db }: RelayContext,
  { source, subscription, after, limit }: PendingFilter,
): Promise<readonly DeliveryRow[]> {
  const found = sql`
    SELECT soonest.* FROM subscription
    JOIN source ON source.number = subscription.source_number
    CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.subscription_number = subscription.number AND delivery.state = 'pending'
        ${sqlIf(
          after,
          ({ at, event, subscription: number }) => sql`AND delivery.next_at >= ${at}
          AND (delivery.next_at, delivery.event_id, delivery.subscription_number) > (${at}, ${event}::uuid, ${number}::integer)`,
        )}
      ORDER BY delivery.next_at, delivery.event_id LIMIT ${limit}
    ) AS soonest
    WHERE true
      ${sqlIf(source, (name) => sql`AND source.name = ${name}`)}
      ${sqlIf(subscription, (number) => sql`AND subscription.number = ${number}`)}
    ORDER BY soonest.next_at, soonest.event_id, soonest.subscription_number LIMIT ${limit}`;
  const { rows } = await described(found, sql`next_at, event_id, subscription_number`).execute(db);
  return rows;
}

export interface PendingFilter {
  readonly source: string | undefined;
  readonly subscription: number | undefined;
  readonly after: PendingKey | undefined;
  readonly limit: number;
}

export interface PendingKey extends DeliveryKey {
  readonly at: Date;
}

function newest(
  { state, source, event, subscription, after }: DeliveryFilter,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    SELECT deliveries.* FROM source CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.source_number = source.number
        ${sqlIf(state, (is) => sql`AND delivery.state = ${sql.lit(is)}`)}
        ${sqlIf(event, (id) => sql`AND delivery.event_id = ${id}::uuid`)}
        ${sqlIf(after, (key) => sql`AND (delivery.event_id, delivery.subscription_number) < (${key.event}::uuid, ${key.subscription}::integer)`)}
      ORDER BY delivery.source_number DESC, delivery.event_id DESC, delivery.subscription_number DESC
      LIMIT ${limit}
    ) AS deliveries
    WHERE true
      ${sqlIf(source, (name) => sql`AND source.name = ${name}`)}
      ${sqlIf(subscription, (number) => sql`AND source.number = (SELECT source_number FROM subscription WHERE number = ${number})`)}
    ORDER BY deliveries.event_id DESC, deliveries.subscription_number DESC LIMIT ${limit}`;
}

/** The rows of a page, with readable names and their attempts. */
function described(page: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<DeliveryRow> {
  return sql<DeliveryRow>`
    SELECT page.event_id, page.subscription_number, page.state, page.reason, page.next_at,
      source.name AS source, event.type, event.received_at, subscription.id AS subscription_id,
      subscription.name AS subscription_name, subscription.target_url,
      coalesce(attempts.history, '[]') AS history
    FROM (${page}) AS page
    JOIN source ON source.number = page.source_number
    JOIN subscription ON subscription.number = page.subscription_number
    JOIN event ON event.source_number = page.source_number AND event.id = page.event_id
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(to_jsonb(attempt) ORDER BY attempt.number) AS history FROM attempt
      WHERE attempt.source_number = page.source_number AND attempt.event_id = page.event_id
        AND attempt.subscription_number = page.subscription_number
    ) AS attempts
    ORDER BY ${order}`;
}

function keyOf(row: DeliveryRow | undefined): DeliveryKey | undefined {
  return row && { event: row.event_id, subscription: row.subscription_number };
}
