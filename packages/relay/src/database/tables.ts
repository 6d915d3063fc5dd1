import type { ColumnType, Generated } from 'kysely';

/** Set by the database unless given. */
type Given<Type> = ColumnType<Type, Type | undefined, Type>;

export interface SourceTable {
  readonly number: Generated<number>;
  readonly name: string;
  /** Encrypted, like every secret here. */
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_until: Date | null;
  readonly created_at: Date;
}

export interface TokenTable {
  readonly number: Generated<number>;
  readonly source_number: number;
  readonly name: string;
  readonly hash: Buffer;
  readonly secret: Buffer;
  readonly previous_hash: Buffer | null;
  readonly previous_secret: Buffer | null;
  readonly previous_until: Date | null;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
}

export type SubscriptionState = 'active' | 'off';

export interface SubscriptionTable {
  readonly number: Generated<number>;
  readonly id: string;
  readonly source_number: number;
  readonly token_number: number;
  readonly target_url: string;
  /** In alphabetical order, without duplicates. */
  readonly events: string[];
  readonly name: string | null;
  readonly state: Given<SubscriptionState>;
  readonly off_reason: string | null;
  /** The start of the current run of failed attempts. */
  readonly failing_since: Date | null;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
}

/** Which sender delivers to a subscription now. A separate table, because it changes constantly. */
export interface LeaseTable {
  readonly subscription_number: number;
  readonly owner: string | null;
  /** By the database's clock, since the clocks of processes may differ. */
  readonly leased_until: Date | null;
  /** By the relay's clock. */
  readonly paused_until: Date | null;
  readonly failures_in_a_row: Given<number>;
  readonly served_at: Date | null;
}

/** A `DELETE` request that the target of a subscription still gets. */
export interface EndNoticeTable {
  readonly subscription_number: number;
  readonly attempts: Given<number>;
  readonly next_at: Date;
}

export interface EventTable {
  readonly source_number: number;
  /** A UUID of version 7, so the events of a source sort by arrival. */
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly body: Buffer;
  readonly received_at: Date;
}

/** Bodies without an event ID that arrived recently. */
export interface BodyTable {
  readonly source_number: number;
  readonly key: string;
  readonly received_at: Date;
  readonly signed_at: Date;
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export interface DeliveryTable {
  readonly source_number: number;
  readonly event_id: string;
  readonly subscription_number: number;
  readonly state: Given<DeliveryState>;
  /** Why the delivery is dead. */
  readonly reason: string | null;
  readonly attempts: Given<number>;
  /** Attempts since the retry schedule started. A replay restarts it. */
  readonly attempts_since_replay: Given<number>;
  readonly next_at: Date | null;
}

export interface AttemptTable {
  readonly source_number: number;
  readonly event_id: string;
  readonly subscription_number: number;
  readonly number: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Sign-in links and sessions for the operator's page. */
export interface SignInTokenTable {
  readonly hash: Buffer;
  readonly kind: 'link' | 'session';
  readonly expires_at: Date;
}

export interface Tables {
  readonly source: SourceTable;
  readonly token: TokenTable;
  readonly subscription: SubscriptionTable;
  readonly lease: LeaseTable;
  readonly end_notice: EndNoticeTable;
  readonly event: EventTable;
  readonly body: BodyTable;
  readonly delivery: DeliveryTable;
  readonly attempt: AttemptTable;
  readonly sign_in_token: SignInTokenTable;
}
