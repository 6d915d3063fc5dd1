import { type RawBuilder, sql } from 'kysely';
import { sqlIf } from '../base/statements.ts';
import type { DeliveryState, ResponseRecord, SubscriptionState } from '../base/stored-values.ts';
import type { RelayContext } from './context.ts';
import { sqlPositionBefore } from './positions.ts';

/** Lists read no larger bodies, because a page shows 50 events. */
export const maxListedBody = 65_536;

export interface DeliveryRow {
  readonly position: string;
  readonly event_id: string;
  readonly subscription_number: number;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly replays: number;
  readonly next_at: Date | null;
  /** The later of that and the pause of its subscription, if it is on. */
  readonly attempt_at: Date | null;
  readonly source: string;
  readonly type: string;
  readonly received_at: Date;
  /** Null for a long one. */
  readonly body: Buffer | null;
  readonly subscription_id: string;
  readonly subscription_generation: number;
  readonly subscription_name: string | null;
  readonly token_number: number;
  readonly subscription_state: SubscriptionState;
  /** Why it can never be switched on again, if so. */
  readonly subscription_end: 'unsubscribed' | 'token_revoked' | null;
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

/** The place of a delivery in a list. */
export interface DeliveryRowKey {
  readonly position: string;
  readonly subscription: number;
}

export function deliveryRowKey({ position, subscription_number }: DeliveryRow): string {
  return `${position}_${subscription_number}`;
}

/** Reads the text of `deliveryRowKey`; undefined for any other. */
export function readDeliveryRowKey(text: string): DeliveryRowKey | undefined {
  const [, position, subscription] = /^(\d{1,18})_(\d{1,9})$/.exec(text) ?? [];
  return position === undefined ? undefined : { position, subscription: Number(subscription) };
}

export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  /** Number. Default: all sources. */
  readonly source?: number | undefined;
  /** Position of the event. */
  readonly position?: string | undefined;
  /** Default: all; none for an empty list. */
  readonly subscriptions?: readonly number[] | undefined;
  /** Milliseconds since 1970: of events that arrived at or after `from` and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Start after this delivery. */
  readonly after?: DeliveryRowKey | undefined;
  readonly limit: number;
}

/** Deliveries by event, newest first. */
export async function listDeliveryRows(
  { db }: Pick<RelayContext, 'db'>,
  filter: DeliveryFilter,
): Promise<readonly DeliveryRow[]> {
  const newest = filter.subscriptions === undefined ? newestOfSources : newestOfSubscriptions;
  const order = sql`position DESC, subscription_number DESC`;
  const { rows } = await described(newest(filter), order).execute(db);
  return rows;
}

export interface PendingFilter
  extends Pick<DeliveryFilter, 'source' | 'subscriptions' | 'from' | 'to' | 'limit'> {
  readonly after: (DeliveryRowKey & { readonly at: Date }) | undefined;
}

/** Pending deliveries, next attempt first. Reads each subscription separately, by index. */
export async function listPendingDeliveries(
  { db }: Pick<RelayContext, 'db'>,
  { source, subscriptions, after, limit, ...period }: PendingFilter,
): Promise<readonly DeliveryRow[]> {
  const found = sql`
    SELECT soonest.* FROM subscription CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.subscription_number = subscription.number AND delivery.state = 'pending'
        ${within(period, sql.ref('subscription.source_number'))}
        ${sqlIf(
          after,
          ({ at, position, subscription: number }) => sql`AND delivery.next_at >= ${at}
          AND (delivery.next_at, delivery.position, delivery.subscription_number) > (${at}, ${position}::bigint, ${number}::integer)`,
        )}
      ORDER BY delivery.next_at, delivery.position LIMIT ${limit}
    ) AS soonest
    WHERE true
      ${sqlIf(source, (number) => sql`AND subscription.source_number = ${number}`)}
      ${sqlIf(subscriptions, (numbers) => sql`AND subscription.number = ANY(${numbers}::integer[])`)}
    ORDER BY soonest.next_at, soonest.position, soonest.subscription_number LIMIT ${limit}`;
  const { rows } = await described(found, sql`next_at, position, subscription_number`).execute(db);
  return rows;
}

/** Reads the newest of each source by index, then merges them. */
function newestOfSources(filter: DeliveryFilter): RawBuilder<unknown> {
  const { state, source, position, after, limit } = filter;
  return sql`
    SELECT deliveries.* FROM source CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.source_number = source.number
        ${sqlIf(state, (is) => sql`AND delivery.state = ${sql.lit(is)}`)}
        ${sqlIf(position, (is) => sql`AND delivery.position = ${is}::bigint`)}
        ${within(filter, sql.ref('source.number'))}
        ${sqlIf(after, isAfter)}
      ORDER BY delivery.source_number DESC, delivery.position DESC, delivery.subscription_number DESC
      LIMIT ${limit}
    ) AS deliveries
    ${sqlIf(source, (number) => sql`WHERE source.number = ${number}`)}
    ORDER BY deliveries.position DESC, deliveries.subscription_number DESC LIMIT ${limit}`;
}

const everyState: readonly DeliveryState[] = ['pending', 'delivered', 'ignored', 'dead'];

/**
 * Reads the newest of each subscription and state by index, then merges them. Inside, the source
 * would let PostgreSQL walk through the log for a state that no delivery has.
 */
function newestOfSubscriptions(filter: DeliveryFilter): RawBuilder<unknown> {
  const { state, source, position, after, subscriptions, limit } = filter;
  const states = state === undefined ? everyState : [state];
  return sql`
    SELECT deliveries.* FROM subscription AS wanted
    CROSS JOIN unnest(${states}::text[]) AS one (state)
    CROSS JOIN LATERAL (
      SELECT delivery.* FROM delivery
      WHERE delivery.subscription_number = wanted.number AND delivery.state = one.state
        ${sqlIf(position, (is) => sql`AND delivery.position = ${is}::bigint`)}
        ${within(filter, sql.ref('wanted.source_number'))}
        ${sqlIf(after, (key) => sql`AND delivery.position <= ${key.position}::bigint ${isAfter(key)}`)}
      ORDER BY delivery.subscription_number DESC, delivery.state DESC, delivery.position DESC
      LIMIT ${limit}
    ) AS deliveries
    WHERE wanted.number = ANY (${subscriptions}::integer[])
      ${sqlIf(source, (number) => sql`AND wanted.source_number = ${number}`)}
    ORDER BY deliveries.position DESC, deliveries.subscription_number DESC LIMIT ${limit}`;
}

/** The source is that of an outer row, so that its bounds are looked up once, by index. */
function within(
  { from, to }: Pick<DeliveryFilter, 'from' | 'to'>,
  source: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${sqlIf(from, (ms) => sql`AND delivery.position > ${sqlPositionBefore(source, ms)}`)}
        ${sqlIf(to, (ms) => sql`AND delivery.position <= ${sqlPositionBefore(source, ms)}`)}`;
}

function isAfter({ position, subscription }: DeliveryRowKey): RawBuilder<unknown> {
  return sql`AND (delivery.position, delivery.subscription_number) < (${position}::bigint, ${subscription}::integer)`;
}

/** The rows of a page, with readable names and their attempts. */
function described(page: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<DeliveryRow> {
  return sql<DeliveryRow>`
    SELECT page.position, event.id AS event_id, page.subscription_number, page.state, page.reason,
      page.replays, page.next_at, source.name AS source,
      CASE WHEN page.next_at IS NOT NULL AND subscription.state = 'active'
        THEN greatest(page.next_at, lease.paused_until) END AS attempt_at, event.type, event.received_at,
      CASE WHEN octet_length(event.body) <= ${maxListedBody} THEN event.body END AS body,
      subscription.state AS subscription_state, subscription.id AS subscription_id,
      subscription.generation AS subscription_generation,
      subscription.name AS subscription_name, subscription.token_number, subscription.target_url,
      CASE WHEN subscription.off_reason = 'unsubscribed' THEN 'unsubscribed'
        WHEN token.revoked_at IS NOT NULL THEN 'token_revoked' END AS subscription_end,
      coalesce(attempts.history, '[]') AS history
    FROM (${page}) AS page
    JOIN source ON source.number = page.source_number
    JOIN subscription ON subscription.number = page.subscription_number
    JOIN token ON token.number = subscription.token_number
    LEFT JOIN lease ON lease.subscription_number = page.subscription_number
    JOIN event ON event.source_number = page.source_number AND event.position = page.position
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(to_jsonb(attempt) ORDER BY attempt.number) AS history FROM attempt
      WHERE attempt.source_number = page.source_number AND attempt.position = page.position
        AND attempt.subscription_number = page.subscription_number
    ) AS attempts
    ORDER BY ${order}`;
}
