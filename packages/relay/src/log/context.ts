import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Database } from '../base/database.ts';
import type { SecretBox } from '../base/secrets.ts';
import type { DeliveryState } from '../base/stored-values.ts';
import type { SubscriberRequestOptions } from '../outbound/agents.ts';

/** The parts that all rooms of one relay share. */
export interface RelayContext extends Database {
  readonly clock: ScheduledClock;
  readonly box: SecretBox;
  /** Called after events are stored: sends them, from here and other processes. */
  readonly wake: () => void;
  /** Called after any other commit that may leave work to a sender or to the maintenance. */
  readonly changed: () => void;
  readonly outbound: SubscriberRequestOptions;
  /** Where the operator wants problems reported. */
  readonly problemUrl: string | undefined;
  readonly report: (error: unknown) => void;
  readonly observer: Observer;
}

/** How the ingress handled a request. */
export const ingestResults = [
  'stored',
  'duplicate',
  'malformed',
  'forged',
  'unknown_source',
  'too_large',
  'aborted',
  'unavailable',
  'failed',
] as const;

export type IngestResult = (typeof ingestResults)[number];

interface Ingested {
  readonly result: IngestResult;
  readonly durationMs: number;
  /** If it exists. */
  readonly source?: string | undefined;
  /** Name of the event, once it is verified and read. */
  readonly type?: string | undefined;
}

interface Attempted {
  /** The result's name in the API. */
  readonly delivery: string;
  /** Name of the event. */
  readonly type: string;
  /** Name of the subscription, or else the host of its target. */
  readonly to: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The state after the attempt. A failed attempt with a retry to come leaves it `pending`. */
  readonly state: DeliveryState;
  /** Why the delivery is dead, or was ignored. */
  readonly reason: string | null;
}

/** In words of `signatureText`. */
interface SignatureChange {
  readonly source: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Receives what happens in a relay, for its metrics and its log. It never gets whole target URLs or
 * bodies, since both may contain secrets.
 */
export interface Observer {
  ingested(ingested: Ingested): void;
  attempted(attempted: Attempted): void;
  /** The service signs the deliveries of a source in another way than before, or for the first time. */
  signedAnew(change: SignatureChange): void;
  failed(error: unknown): void;
  /** Milliseconds that the machine's clock is ahead of the database's. */
  clockRead(aheadMs: number): void;
}

/** Combines several observers, each of what it has a method for, into one. */
export function combineObservers(all: readonly Partial<Observer>[]): Observer {
  return {
    ingested: (ingested) => all.forEach((one) => void one.ingested?.(ingested)),
    attempted: (attempted) => all.forEach((one) => void one.attempted?.(attempted)),
    signedAnew: (change) => all.forEach((one) => void one.signedAnew?.(change)),
    failed: (error) => all.forEach((one) => void one.failed?.(error)),
    clockRead: (aheadMs) => all.forEach((one) => void one.clockRead?.(aheadMs)),
  };
}
