import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  defaultLimit,
  type InputOf,
  type Page,
  pageOf,
  readCursor,
  readNumber,
  type SubscriptionRecord,
} from '../../base/contract.ts';
import { subscriptionId } from '../../base/ids.ts';
import { sqlIf } from '../../base/statements.ts';
import type { SubscriptionState } from '../../base/stored-values.ts';
import type { SubscriptionTable } from '../../base/tables.ts';
import type { RelayContext } from '../../context.ts';
import { isSubscribed } from '../../log/database/reading-subscriptions.ts';
import { requestedNames } from '../../log/database/wants.ts';

import { nothingWaits, type Standing, standingsOf } from '../../log/waiting.ts';
import { normalizeTarget } from '../../outbound/targets.ts';

import type { Scope } from './rights.ts';

type Subscription = Selectable<SubscriptionTable>;

/** With what only the operator's page shows. */
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
  /** Start after the subscription with this number. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Newest first, without those that their subscribers have ended. */
function newestSubscriptions(filter: SubscriptionFilter): RawBuilder<Subscription> {
  const { id, source, token, targetUrl, state, after, limit } = filter;
  return sql<Subscription>`
    SELECT * FROM subscription
    WHERE ${isSubscribed}
      ${sqlIf(id, (is) => sql`AND id = ${is}::uuid`)}
      ${sqlIf(source, (number) => sql`AND source_number = ${number}`)}
      ${sqlIf(token, (number) => sql`AND token_number = ${number}`)}
      ${sqlIf(targetUrl, (url) => sql`AND target_url = ${url}`)}
      ${sqlIf(state, (is) => sql`AND state = ${is}`)}
      ${sqlIf(after, (number) => sql`AND number < ${number}`)}
    ORDER BY number DESC LIMIT ${limit}`;
}

/** The same with readable names. */
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
  { source, own }: Scope,
  { limit = defaultLimit, cursor, target_url: targetUrl }: InputOf<'subscriptions.list'>,
): Promise<Page<SubscriptionRecord>> {
  const after = readCursor(cursor, readNumber);
  const { rows } = await newestSubscriptions({
    source,
    token: own?.token,
    targetUrl: targetUrl === undefined ? undefined : normalizeTarget(targetUrl),
    after,
    limit: limit + 1,
  }).execute(db);
  const numbers = rows.slice(0, limit).map(({ number }) => number);
  const standings = await standingsOf(db, numbers, { now: clock.now() });
  const record = (row: Subscription) => standingRecord(row, standings.get(row.number));
  return pageOf(rows, limit, record, (row) => String(row.number));
}

/** With how it fares. */
export async function fullRecord(
  { db, clock }: RelayContext,
  row: Subscription,
): Promise<SubscriptionRecord> {
  const standings = await standingsOf(db, [row.number], { now: clock.now() });
  return standingRecord(row, standings.get(row.number));
}

function standingRecord(row: Subscription, standing: Standing = nothingWaits): SubscriptionRecord {
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
