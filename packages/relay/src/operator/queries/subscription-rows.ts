import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import type { SubscriptionState } from '../../database/tables.ts';
import { sqlIf } from './sql-if.ts';

export interface SubscriptionRow {
  readonly number: number;
  readonly id: string;
  readonly name: string | null;
  readonly source: string;
  readonly token: string;
  readonly token_revoked_at: Date | null;
  readonly target_url: string;
  readonly events: readonly string[];
  readonly state: SubscriptionState;
  readonly off_reason: string | null;
  readonly failing_since: Date | null;
  readonly created_at: Date;
  readonly paused_until: Date | null;
}

interface SubscriptionFilter {
  readonly id?: string;
  readonly source?: string | undefined;
  readonly state?: SubscriptionState | undefined;
  /** Start after the subscription with this number. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Newest first, without deleted ones. */
export async function listSubscriptions(
  { db }: RelayContext,
  { id, source, state, after, limit }: SubscriptionFilter,
): Promise<readonly SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    SELECT subscription.*, source.name AS source, token.name AS token,
      token.revoked_at AS token_revoked_at, lease.paused_until
    FROM subscription
    JOIN source ON source.number = subscription.source_number
    JOIN token ON token.number = subscription.token_number
    LEFT JOIN lease ON lease.subscription_number = subscription.number
    WHERE subscription.deleted_at IS NULL
      ${sqlIf(id, (is) => sql`AND subscription.id = ${is}::uuid`)}
      ${sqlIf(source, (is) => sql`AND source.name = ${is}`)}
      ${sqlIf(state, (is) => sql`AND subscription.state = ${is}`)}
      ${sqlIf(after, (is) => sql`AND subscription.number < ${is}`)}
    ORDER BY subscription.number DESC LIMIT ${limit}`.execute(db);
  return rows;
}
