import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import type { Generated } from 'kysely';
import type { DeliveryState, ResponseRecord, Right, SignatureOfSource } from './stored-values.ts';
import type { Given, JobTable, LeaseTable, SubscriptionTable } from './subscription-tables.ts';

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
  readonly scheme: SignatureOfSource | null;
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
  /** What it may do: at least one. */
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
  /** Of every value that a search finds. */
  readonly search_hashes: Generated<string[]>;
  readonly received_at: Date;
}

/** An erasure that is not done. */
export interface ErasureTable {
  readonly number: Generated<number>;
  readonly source_number: number;
  /** Of the value that its events have; null for every event between its positions. */
  readonly value_hash: string | null;
  /** What is up to it is erased. A whole number. */
  readonly position: string;
  readonly until: string;
  readonly worked_at: Date;
}

/** What readers learn who continue at a position from long ago. */
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
  /** Of the event. */
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
  readonly type: RelayProblemName;
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
  /** Stored events. */
  readonly events: number;
  /** Attempts that delivered an event. */
  readonly deliveries: number;
  /** Attempts that failed. */
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
