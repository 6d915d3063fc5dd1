import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import { sqlIf } from '../../database/sql-if.ts';
import type { SubscriptionState } from '../../database/tables.ts';

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
  /** Public ID and target of another one that belongs to the same program, or to its copy. */
  readonly twin_id: string | null;
  readonly twin_url: string | null;
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
      token.revoked_at AS token_revoked_at, lease.paused_until, lease.failing_since,
      twin.id AS twin_id, twin.target_url AS twin_url
    FROM subscription
    JOIN source ON source.number = subscription.source_number
    JOIN token ON token.number = subscription.token_number
    LEFT JOIN lease ON lease.subscription_number = subscription.number
    LEFT JOIN LATERAL (
      SELECT other.id, other.target_url FROM subscription AS other
      WHERE other.source_number = subscription.source_number AND other.state = 'active'
        AND other.deleted_at IS NULL AND subscription.state = 'active'
        AND (other.number = subscription.replaces_number OR other.replaces_number = subscription.number)
      LIMIT 1
    ) AS twin ON true
    WHERE subscription.deleted_at IS NULL
      ${sqlIf(id, (is) => sql`AND subscription.id = ${is}::uuid`)}
      ${sqlIf(source, (is) => sql`AND source.name = ${is}`)}
      ${sqlIf(state, (is) => sql`AND subscription.state = ${is}`)}
      ${sqlIf(after, (is) => sql`AND subscription.number < ${is}`)}
    ORDER BY subscription.number DESC LIMIT ${limit}`.execute(db);
  return rows;
}
