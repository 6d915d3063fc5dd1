import type { RelayProblemEventName } from '@screen-advertising/core/webhooks';
import type { ColumnType, Generated } from 'kysely';
import type {
  DeliveryState,
  JobKind,
  OffReason,
  ResponseRecord,
  Right,
  SourceSignature,
  SubscriptionState,
} from './stored-values.ts';

export interface SourceTable {
  readonly number: Generated<number>;
  readonly name: string;
  /** Encrypted, like every secret here. */
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_until: Date | null;
  /** When a delivery was verified with the secret, after deliveries with the previous one. */
  readonly verified_at: Date | null;
  readonly previous_verified_at: Date | null;
  /** How the service signs, and since when. */
  readonly scheme: SourceSignature | null;
  readonly scheme_since: Date | null;
  /** The secret is random until the operator enters the one of the access. */
  readonly awaits_secret: Generated<boolean>;
  readonly created_at: Date;
}

/** A delivery of a source that the ingress refused. Only the latest of each source are kept. */
interface RefusalTable {
  readonly source_number: number;
  readonly at: Date;
  readonly reason: string;
  /** Null if it was not read to its end. */
  readonly bytes: number | null;
  /** Names only. */
  readonly headers: string[];
  /** Whether the header with the signature could be read. */
  readonly is_readable: boolean;
  /** How long before its arrival the delivery says that it was signed: a whole number. */
  readonly age_seconds: string | null;
  /** Name of another source whose secret signed it. */
  readonly fits_source: string | null;
}

export interface TokenTable {
  readonly number: Generated<number>;
  readonly source_number: number;
  readonly name: string;
  /** At least one. */
  readonly rights: Right[];
  readonly hash: Buffer;
  readonly secret: Buffer;
  readonly previous_hash: Buffer | null;
  readonly previous_secret: Buffer | null;
  readonly previous_until: Date | null;
  /** Whether the current key has not been used since the rotation. */
  readonly has_unused_key: Given<boolean>;
  readonly created_at: Date;
  /** When its present key was last used, to the minute. */
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface EventTable {
  readonly source_number: number;
  /** The order of commits, whatever any clock says: a whole number, up to 2^63 - 1. */
  readonly position: Generated<string>;
  /** A UUID of version 7. */
  readonly id: string;
  readonly key: string;
  readonly type: string;
  /** Null once it was erased. */
  readonly body: Buffer | null;
  /** Hashes of every value that a search finds. */
  readonly search_hashes: Generated<string[]>;
  readonly received_at: Date;
}

/** An erasure that is not done. */
export interface ErasureTable {
  readonly number: Generated<number>;
  readonly source_number: number;
  /** The hash of the value that its events have; null for every event between its positions. */
  readonly value_hash: string | null;
  /** Events up to it are erased. A whole number. */
  readonly position: string;
  readonly until: string;
  readonly worked_at: Date;
}

/** Readers who continue at a position from long ago learn from it that events are gone. */
interface PrunedTable {
  readonly source_number: number;
  readonly type: string;
  /** The highest position of all pruned events of the type. */
  readonly position: string;
}

/** Bodies without an event ID that arrived recently. */
interface SeenBodyTable {
  readonly source_number: number;
  readonly key: string;
  readonly received_at: Date;
  readonly signed_at: Date;
}

interface DeliveryTable {
  readonly source_number: number;
  readonly position: string;
  readonly subscription_number: number;
  readonly state: DeliveryState;
  /** Why the delivery is dead, or was ignored. */
  readonly reason: string | null;
  readonly attempts: number;
  /** Attempts since the retry schedule started. A redelivery restarts it. */
  readonly attempts_since_replay: number;
  /** How often a person asked for a redelivery. */
  readonly replays: number;
  readonly next_at: Date | null;
}

interface AttemptTable {
  readonly source_number: number;
  readonly position: string;
  readonly subscription_number: number;
  readonly number: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly response: ResponseRecord | null;
}

/** A problem of a subscription that the relay reports, at most once an hour. */
interface ProblemTable {
  readonly subscription_number: number;
  readonly type: RelayProblemEventName;
  /** How often it happened since the last report. */
  readonly count: number;
  /** When it happened first since the last report. */
  readonly at: Date;
  /** The event whose delivery failed last. */
  readonly event_id: string | null;
  readonly reported_at: Date | null;
}

/** For the plot on the operator's page. */
export interface HourlyCountTable {
  readonly hour: Date;
  readonly events: number;
  readonly deliveries: number;
  readonly failures: number;
}

/** Sign-in links and sessions for the operator's page. */
interface SignInTokenTable {
  readonly hash: Buffer;
  readonly kind: 'link' | 'session';
  readonly expires_at: Date;
}

export interface Tables {
  readonly source: SourceTable;
  readonly refusal: RefusalTable;
  readonly token: TokenTable;
  readonly subscription: SubscriptionTable;
  readonly lease: LeaseTable;
  readonly event: EventTable;
  readonly erasure: ErasureTable;
  readonly pruned: PrunedTable;
  readonly seen_body: SeenBodyTable;
  readonly delivery: DeliveryTable;
  readonly attempt: AttemptTable;
  readonly problem: ProblemTable;
  readonly job: JobTable;
  readonly hourly_count: HourlyCountTable;
  readonly sign_in_token: SignInTokenTable;
}

/** Set by the database unless given. */
type Given<Type> = ColumnType<Type, Type | undefined, Type>;

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
  /** Events after it, up to the position, were skipped after its subscriber had ended it. */
  readonly skipped_from: string | null;
  readonly state: Given<SubscriptionState>;
  readonly off_reason: OffReason | null;
  readonly stopped_at: Date | null;
  readonly max_concurrency: Given<number>;
  readonly created_at: Date;
}

/** Which sender delivers to a subscription now. A separate table, because it changes constantly. */
interface LeaseTable {
  readonly subscription_number: number;
  /** The start of the subscription: failures from before it count no more. */
  readonly starts: Given<number>;
  readonly owner: string | null;
  /** By the database's clock, since the clocks of processes may differ. */
  readonly leased_until: Date | null;
  /** By the relay's clock. */
  readonly paused_until: Date | null;
  readonly failures_in_a_row: Given<number>;
  /** The start of the current run of failed attempts. */
  readonly failing_since: Date | null;
  readonly failed_at: Date | null;
  readonly served_at: Date | null;
}

/** A second reader of a subscription beside the log, with its bounds. */
export interface JobTable {
  readonly number: Generated<string>;
  readonly kind: JobKind;
  readonly subscription_number: number;
  /** The subscription whose deliveries it reads. */
  readonly of_number: number;
  /** States of the deliveries to read. */
  readonly states: Given<DeliveryState[]>;
  /** Names of the events to read from the log, and the position after which each counts. */
  readonly events: Given<string[]>;
  readonly since: Given<string[]>;
  /** Positions of single events to deliver, whether they have a delivery or not. */
  readonly positions: Given<string[]>;
  /** Everything up to it has been attempted. */
  readonly position: string;
  readonly until: string;
}
