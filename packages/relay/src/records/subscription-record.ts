import type { Selectable } from 'kysely';
import type { SubscriptionTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';

/** A subscription as the API shows it. */
export interface SubscriptionRecord {
  readonly id: string;
  readonly target_url: string;
  readonly events: readonly string[];
  readonly name: string | null;
  readonly state: 'active' | 'off';
  readonly off_reason: string | null;
  readonly created_at: string;
}

export function subscriptionRecord(row: Selectable<SubscriptionTable>): SubscriptionRecord {
  return {
    id: publicId('sub', row.id),
    target_url: row.target_url,
    events: row.events,
    name: row.name,
    state: row.state,
    off_reason: row.off_reason,
    created_at: row.created_at.toISOString(),
  };
}
