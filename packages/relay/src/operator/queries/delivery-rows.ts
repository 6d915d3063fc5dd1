import { type RawBuilder, sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import type { DeliveryKey } from '../../database/delivery-id.ts';
import type { ResponseRecord } from '../../database/stored-values.ts';
import type { DeliveryState, SubscriptionState } from '../../database/tables.ts';
import { longestListedBody } from './event-rows.ts';
import { sqlIf } from './sql-if.ts';

export interface DeliveryRow {
  readonly event_id: string;
  readonly subscription_number: number;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly replays: number;
  readonly next_at: Date | null;
  readonly source: string;
  readonly type: string;
  readonly received_at: Date;
  /** Of the event; null for a long one. */
  readonly body: Buffer | null;
  readonly subscription_id: string;
  readonly subscription_name: string | null;
  readonly subscription_state: SubscriptionState;
  /** Why it can never be switched on again, if so. */
  readonly subscription_end: 'deleted' | 'token_revoked' | null;
  readonly target_url: string;
  readonly history: readonly AttemptRow[];
}

export interface AttemptRow {
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly response: ResponseRecord | null;
}

export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly source: string | undefined;
  readonly event?: string;
  /** Default: all; none for an empty list. */
  readonly subscriptions?: readonly number[] | undefined;
  /** Start after this delivery. */
  readonly after: DeliveryKey | undefined;
  readonly limit: number;
}

/** Deliveries of all sources, by event, newest first. */
export async function listDeliveries(
  { db }: RelayContext,
  filter: DeliveryFilter,
): Promise<readonly DeliveryRow[]> {
  const newest = filter.subscriptions === undefined ? newestOfSources : newestOfSubscriptions;
  const order = sql`event_id DESC, subscription_number DESC`;
  const { rows } = await described(newest(filter), order).execute(db);
  return rows;
}

/** Pending deliveries, next attempt first. Reads each subscription separately, by index. */
export async function listPending(
  { db }: RelayContext,
  { source, subscriptions, after, limit }: PendingFilter,
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
      ${sqlIf(subscriptions, (numbers) => sql`AND subscription.number = ANY(${numbers}::integer[])`)}
    ORDER BY soonest.next_at, soonest.event_id, soonest.subscription_number LIMIT ${limit}`;
  const { rows } = await described(found, sql`next_at, event_id, subscription_number`).execute(db);
  return rows;
}

export interface PendingFilter extends Pick<DeliveryFilter, 'source' | 'subscriptions' | 'limit'> {
  readonly after: PendingKey | undefined;
}

export interface PendingKey extends DeliveryKey {
  readonly at: Date;
}

/** Reads the newest of each source by index, then merges them. */
function newestOfSources({
  state,
  source,
  event,
  after,
  limit,
}: DeliveryFilter): RawBuilder<unknown> {
  return sql`
    SELECT deliveries.* FROM source CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.source_number = source.number
        ${sqlIf(state, (is) => sql`AND delivery.state = ${sql.lit(is)}`)}
        ${sqlIf(event, (id) => sql`AND delivery.event_id = ${id}::uuid`)}
        ${sqlIf(after, isAfter)}
      ORDER BY delivery.source_number DESC, delivery.event_id DESC, delivery.subscription_number DESC
      LIMIT ${limit}
    ) AS deliveries
    ${sqlIf(source, (name) => sql`WHERE source.name = ${name}`)}
    ORDER BY deliveries.event_id DESC, deliveries.subscription_number DESC LIMIT ${limit}`;
}

/** Reads the newest of each subscription by index, then merges them. */
function newestOfSubscriptions({
  state,
  source,
  after,
  subscriptions,
  limit,
}: DeliveryFilter): RawBuilder<unknown> {
  return sql`
    SELECT deliveries.* FROM unnest(${subscriptions}::integer[]) AS wanted (number)
    CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.subscription_number = wanted.number
        ${sqlIf(state, (is) => sql`AND delivery.state = ${sql.lit(is)}`)}
        ${sqlIf(after, (key) => sql`AND delivery.event_id <= ${key.event}::uuid ${isAfter(key)}`)}
      ORDER BY delivery.subscription_number DESC, delivery.event_id DESC LIMIT ${limit}
    ) AS deliveries
    ${sqlIf(source, (name) => sql`WHERE deliveries.source_number = (SELECT number FROM source WHERE source.name = ${name})`)}
    ORDER BY deliveries.event_id DESC, deliveries.subscription_number DESC LIMIT ${limit}`;
}

function isAfter({ event, subscription }: DeliveryKey): RawBuilder<unknown> {
  return sql`AND (delivery.event_id, delivery.subscription_number) < (${event}::uuid, ${subscription}::integer)`;
}

/** The rows of a page, with readable names and their attempts. */
function described(page: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<DeliveryRow> {
  return sql<DeliveryRow>`
    SELECT page.event_id, page.subscription_number, page.state, page.reason, page.replays, page.next_at,
      source.name AS source, event.type, event.received_at,
      CASE WHEN octet_length(event.body) <= ${longestListedBody} THEN event.body END AS body,
      subscription.state AS subscription_state, subscription.id AS subscription_id,
      subscription.name AS subscription_name, subscription.target_url,
      CASE WHEN subscription.deleted_at IS NOT NULL THEN 'deleted'
        WHEN token.revoked_at IS NOT NULL THEN 'token_revoked' END AS subscription_end,
      coalesce(attempts.history, '[]') AS history
    FROM (${page}) AS page
    JOIN source ON source.number = page.source_number
    JOIN subscription ON subscription.number = page.subscription_number
    JOIN token ON token.number = subscription.token_number
    JOIN event ON event.source_number = page.source_number AND event.id = page.event_id
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(to_jsonb(attempt) ORDER BY attempt.number) AS history FROM attempt
      WHERE attempt.source_number = page.source_number AND attempt.event_id = page.event_id
        AND attempt.subscription_number = page.subscription_number
    ) AS attempts
    ORDER BY ${order}`;
}
