import type { ColumnType, Generated } from 'kysely';
import type { DeliveryState, JobKind, OffReason, SubscriptionState } from './stored-values.ts';

/** Set by the database unless given. */
export type Given<Type> = ColumnType<Type, Type | undefined, Type>;

/** A token's target: one row for its whole life. */
export interface SubscriptionTable {
  readonly number: Generated<number>;
  readonly id: string;
  /** How many PUT requests it has had: the end of its ID, which DELETE names. */
  readonly generation: Given<number>;
  /**
   * How often it was started: by PUT, by hand, or with a new key. What an attempt from before the last
   * start shows about it counts no more.
   */
  readonly starts: Given<number>;
  /** The start that skipped what waited. What was read before it gets no retry. */
  readonly skipping_start: Given<number>;
  readonly source_number: number;
  readonly token_number: number;
  /** As `URL` writes it, without fragment. */
  readonly target_url: string;
  readonly name: string | null;
  /** In alphabetical order, without duplicates. */
  readonly events: string[];
  /** For each of them, the position after which it is wanted. Whole numbers. */
  readonly since: string[];
  /** Everything up to it has been attempted, skipped, or was before its time. A whole number. */
  readonly position: string;
  /** What follows it, up to the position, was skipped after its subscriber had ended it. */
  readonly skipped_from: string | null;
  readonly state: Given<SubscriptionState>;
  readonly off_reason: OffReason | null;
  readonly stopped_at: Date | null;
  /** Deliveries at once, 1 to 16. */
  readonly max_concurrency: Given<number>;
  readonly created_at: Date;
}

/** Which sender delivers to a subscription now. A separate table, because it changes constantly. */
export interface LeaseTable {
  readonly subscription_number: number;
  /** Of the subscription: what a sender learned before counts no more. */
  readonly starts: Given<number>;
  readonly owner: string | null;
  /** By the database's clock, since the clocks of processes may differ. */
  readonly leased_until: Date | null;
  /** By the relay's clock. */
  readonly paused_until: Date | null;
  readonly failures_in_a_row: Given<number>;
  /** The start of the current run of failed attempts. */
  readonly failing_since: Date | null;
  /** The last attempt that failed. */
  readonly failed_at: Date | null;
  readonly served_at: Date | null;
}

/** What the sender of a subscription does beside the log: a second reader, with its bounds. */
export interface JobTable {
  readonly number: Generated<string>;
  readonly kind: JobKind;
  readonly subscription_number: number;
  /** The subscription whose deliveries it reads. */
  readonly of_number: number;
  /** Of the deliveries to read. */
  readonly states: Given<DeliveryState[]>;
  /** Of the events to read from the log, and the position after which each counts. */
  readonly events: Given<string[]>;
  readonly since: Given<string[]>;
  /** Of single events to deliver, whether they have a delivery or not. */
  readonly positions: Given<string[]>;
  /** Everything up to it has been attempted. */
  readonly position: string;
  readonly until: string;
}
