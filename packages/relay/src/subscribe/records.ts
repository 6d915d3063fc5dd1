import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  type DeliveryRecord,
  type DeliveryWithResponses,
  defaultLimit,
  type InputOf,
  type Page,
  pageOfRows,
  readCursor,
  readRowNumber,
  type SubscriptionRecord,
  timestampToMs,
} from '../base/contract.ts';
import {
  deliveryId,
  publicId,
  readDeliveryId,
  readSubscriptionId,
  subscriptionId,
  uuidOf,
} from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { sqlIf } from '../base/statements.ts';
import type { SubscriptionState } from '../base/stored-values.ts';
import type { EventTable, SubscriptionTable } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import {
  type DeliveryRow,
  deliveryRowKey,
  listDeliveryRows,
  readDeliveryRowKey,
} from '../log/deliveries.ts';
import { readEvents } from '../log/events.ts';
import { emptyBacklog, readBacklogs, type SubscriptionBacklog } from '../log/waiting.ts';
import { requestedNames, sqlIsSubscribed } from '../log/wants.ts';
import { normalizeTarget } from '../outbound/targets.ts';
import { type AccessScope, checkReach } from './rights.ts';

/** SQL for rows of a source, or of any. */
function ofSource(source: number | undefined): RawBuilder<unknown> {
  return sqlIf(source, (number) => sql`AND source_number = ${number}`);
}

/**
 * A subscription within the scope in any state, by its ID of any generation. Throws a RelayError for
 * any other.
 */
export async function findSubscriptionInAnyState(
  { db }: RelayContext,
  scope: AccessScope,
  id: string,
): Promise<Selectable<SubscriptionTable>> {
  const uuid = readSubscriptionId(id)?.id ?? null;
  const { rows } = await sql<Selectable<SubscriptionTable>>`
    SELECT * FROM subscription WHERE id = ${uuid}::uuid ${ofSource(scope.source)}`.execute(db);
  const [row] = rows;
  if (!row) throw noSubscription(id);
  checkReach(scope, row.token_number);
  return row;
}

/** Like `findSubscriptionInAnyState`, but throws for one that its subscriber has ended, too. */
export async function findSubscription(
  context: RelayContext,
  scope: AccessScope,
  id: string,
): Promise<Selectable<SubscriptionTable>> {
  const row = await findSubscriptionInAnyState(context, scope, id);
  if (row.off_reason === 'unsubscribed') throw noSubscription(id);
  return row;
}

function noSubscription(id: string): RelayError {
  return new RelayError('not_found', `There is no subscription ${id}.`);
}

/** An event of the source, or of any. Throws a RelayError (`not_found`) for any other. */
export async function findEvent(
  { db }: RelayContext,
  source: number | undefined,
  id: string,
): Promise<Selectable<EventTable>> {
  const uuid = uuidOf('evt', id) ?? null;
  const { rows } = await sql<Selectable<EventTable>>`
    SELECT * FROM event WHERE id = ${uuid}::uuid ${ofSource(source)}`.execute(db);
  const [row] = rows;
  if (row) return row;
  throw new RelayError('not_found', `There is no event ${id}, or it was pruned.`);
}

export function deliveryNotFound(id: string): RelayError {
  return new RelayError('not_found', `There is no delivery ${id}, or it was pruned.`);
}

/** The number of the source with this name. Throws a RelayError for any other. */
export async function findSource(context: Pick<RelayContext, 'db'>, name: string): Promise<number> {
  const [number = 0] = await findSources(context, name);
  return number;
}

/** The number of one source, or without a name, of all. Throws a RelayError if there is none. */
export async function findSources(
  { db }: Pick<RelayContext, 'db'>,
  name: string | undefined,
): Promise<readonly number[]> {
  const sources = await db
    .selectFrom('source')
    .select(['number', 'name'])
    .orderBy('name')
    .execute();
  const found = sources.filter((source) => name === undefined || source.name === name);
  if (found.length > 0) return found.map(({ number }) => number);
  const names = sources.map((source) => source.name).join(', ');
  throw new RelayError(
    'not_found',
    names === ''
      ? 'No sources yet. Add one with: sources add NAME.'
      : `There is no source "${name}". There are: ${names}.`,
  );
}

type Subscription = Selectable<SubscriptionTable>;

/** Beside the API's fields, those that only the operator's page shows. */
export interface SubscriptionRow extends Subscription {
  readonly source: string;
  readonly token: string;
  readonly token_revoked_at: Date | null;
}

interface SubscriptionFilter {
  readonly id?: string;
  /** Number. Default: all sources. */
  readonly source?: number | undefined;
  /** Number. Default: all tokens. */
  readonly token?: number | undefined;
  /** As `normalizeTarget` returns it. */
  readonly targetUrl?: string | undefined;
  readonly state?: SubscriptionState | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Newest first, without those that their subscribers have ended. */
function newestSubscriptions(filter: SubscriptionFilter): RawBuilder<Subscription> {
  const { id, source, token, targetUrl, state, after, limit } = filter;
  return sql<Subscription>`
    SELECT * FROM subscription
    WHERE ${sqlIsSubscribed}
      ${sqlIf(id, (is) => sql`AND id = ${is}::uuid`)}
      ${sqlIf(source, (number) => sql`AND source_number = ${number}`)}
      ${sqlIf(token, (number) => sql`AND token_number = ${number}`)}
      ${sqlIf(targetUrl, (url) => sql`AND target_url = ${url}`)}
      ${sqlIf(state, (is) => sql`AND state = ${is}`)}
      ${sqlIf(after, (number) => sql`AND number < ${number}`)}
    ORDER BY number DESC LIMIT ${limit}`;
}

/** Subscriptions with the names of their sources and tokens, newest first. */
export async function listSubscriptionRows(
  { db }: RelayContext,
  filter: SubscriptionFilter,
): Promise<readonly SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    SELECT page.*, source.name AS source, token.name AS token,
      token.revoked_at AS token_revoked_at
    FROM (${newestSubscriptions(filter)}) AS page
    JOIN source ON source.number = page.source_number
    JOIN token ON token.number = page.token_number
    ORDER BY page.number DESC`.execute(db);
  return rows;
}

/** A page of the subscriptions within the scope, newest first. */
export async function listSubscriptions(
  { db, clock }: RelayContext,
  { source, own }: AccessScope,
  { limit = defaultLimit, cursor, target_url: targetUrl }: InputOf<'subscriptions.list'>,
): Promise<Page<SubscriptionRecord>> {
  const after = readCursor(cursor, readRowNumber);
  const { rows } = await newestSubscriptions({
    source,
    token: own?.token,
    targetUrl: targetUrl === undefined ? undefined : normalizeTarget(targetUrl),
    after,
    limit: limit + 1,
  }).execute(db);
  const numbers = rows.slice(0, limit).map(({ number }) => number);
  const standings = await readBacklogs(db, numbers, { now: clock.now() });
  const record = (row: Subscription) => standingRecord(row, standings.get(row.number));
  return pageOfRows(rows, limit, record, (row) => String(row.number));
}

export async function fullSubscriptionRecord(
  { db, clock }: RelayContext,
  row: Subscription,
): Promise<SubscriptionRecord> {
  const standings = await readBacklogs(db, [row.number], { now: clock.now() });
  return standingRecord(row, standings.get(row.number));
}

function standingRecord(
  row: Subscription,
  standing: SubscriptionBacklog = emptyBacklog,
): SubscriptionRecord {
  const { unread, pending, has_job, failing_since, last_error, next_at } = standing;
  return {
    ...subscriptionRecord(row),
    waiting: unread,
    pending,
    has_request: has_job,
    failing_since: failing_since?.toISOString() ?? null,
    last_error,
    next_attempt_at: next_at?.toISOString() ?? null,
  };
}

export function subscriptionRecord(row: Selectable<SubscriptionTable>): SubscriptionRecord {
  return {
    id: subscriptionId(row),
    target_url: row.target_url,
    events: requestedNames(row.events),
    name: row.name,
    state: row.state,
    // No record is shown of one that its subscriber has ended.
    off_reason: row.off_reason === 'unsubscribed' ? null : row.off_reason,
    max_concurrency: row.max_concurrency,
    created_at: row.created_at.toISOString(),
  };
}

/** A page of the deliveries within the scope, by event, newest first. */
export async function listDeliveries(
  context: RelayContext,
  scope: AccessScope,
  input: InputOf<'deliveries.list'>,
): Promise<Page<DeliveryRecord>> {
  const { source } = scope;
  const { state, limit = defaultLimit, subscription_id, event_id, cursor, from, to } = input;
  const subscriptions =
    subscription_id === undefined
      ? await ownSubscriptions(context, scope)
      : [(await findSubscription(context, scope, subscription_id)).number];
  const position =
    event_id === undefined ? undefined : (await findEvent(context, source, event_id)).position;
  const rows = await listDeliveryRows(context, {
    state,
    source,
    position,
    subscriptions,
    from: timestampToMs(from),
    to: timestampToMs(to),
    after: readCursor(cursor, readDeliveryRowKey),
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, (row) => withoutResponses(deliveryRecord(row)), deliveryRowKey);
}

/** With deleted ones, whose deliveries stay; undefined for all of the source. */
async function ownSubscriptions(
  { db }: RelayContext,
  { own }: AccessScope,
): Promise<readonly number[] | undefined> {
  if (!own) return undefined;
  const rows = await db
    .selectFrom('subscription')
    .select('number')
    .where('token_number', '=', own.token)
    .execute();
  return rows.map(({ number }) => number);
}

/** A delivery within the scope. Throws a RelayError for any other. */
export async function getDelivery(
  context: RelayContext,
  scope: AccessScope,
  id: string,
): Promise<DeliveryWithResponses> {
  const key = readDeliveryId(id);
  if (!key) throw deliveryNotFound(id);
  const search = publicId('evt', key.event);
  const [event] = await readEvents(context, { source: scope.source, search, limit: 1 });
  if (!event) throw deliveryNotFound(id);
  const [row] = await listDeliveryRows(context, {
    source: event.source_number,
    position: event.position,
    subscriptions: [key.subscription],
    limit: 1,
  });
  if (!row) throw deliveryNotFound(id);
  checkReach(scope, row.token_number);
  return deliveryRecord(row);
}

function deliveryRecord(row: DeliveryRow): DeliveryWithResponses {
  return {
    id: deliveryId({ event: row.event_id, subscription: row.subscription_number }),
    event_id: publicId('evt', row.event_id),
    event_type: row.type,
    subscription_id: subscriptionIdOf(row),
    state: row.state,
    reason: row.reason,
    replays: row.replays,
    next_attempt_at: row.attempt_at?.toISOString() ?? null,
    attempts: row.history.map(({ at, status, error, duration_ms, response }) => ({
      at: new Date(at).toISOString(),
      status,
      error,
      duration_ms,
      response,
    })),
  };
}

export function subscriptionIdOf(
  row: Pick<DeliveryRow, 'subscription_id' | 'subscription_generation'>,
): string {
  return subscriptionId({ id: row.subscription_id, generation: row.subscription_generation });
}

/** A page of deliveries would be long with them. */
function withoutResponses(delivery: DeliveryWithResponses): DeliveryRecord {
  return { ...delivery, attempts: delivery.attempts.map(({ response: _, ...more }) => more) };
}
