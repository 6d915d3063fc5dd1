import type { Selectable } from 'kysely';
import type { SubscriptionTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';
import type { SubscriptionRecord } from './response-schemas.ts';

export function subscriptionRecord(row: Selectable<SubscriptionTable>): SubscriptionRecord {
  return {
    id: publicId('sub', row.id),
    target_url: row.target_url,
    events: row.events,
    name: row.name,
    state: row.state,
    // A deleted one is in no list.
    off_reason: row.off_reason as SubscriptionRecord['off_reason'],
    created_at: row.created_at.toISOString(),
  };
}
