import type { EventEnvelope, KnownEvent } from '../types/events.ts';
import type { RelayProblemName } from './relay-events.ts';

/**
 * The name of an event that this version of the package does not know. It equals no text that the
 * compiler can see, so that a misspelled name is an error: compare `String(event.type)` instead.
 */
export declare enum UnknownEventName {
  /** Stands for any other text. */
  Other = 'a name that this version does not know',
}

/** An event that this version of the package does not know. */
export interface UnknownEvent extends EventEnvelope {
  /** Its name: compare `String(event.type)`. */
  readonly type: UnknownEventName;
  /** The object under `data` or `payload`, or else the whole body. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A problem of the relay that delivers the events. */
export interface RelayProblemEvent extends EventEnvelope {
  /** Which kind of problem it is. */
  readonly type: RelayProblemName;
  /** What happened, for people and programs. */
  readonly data: RelayProblemData;
}

/** The `data` of a problem of the relay. */
export interface RelayProblemData {
  /** The problem in sentences. */
  readonly message?: string | null | undefined;
  /** The problem in a word, such as `subscription_failing`. */
  readonly problem?: string | null | undefined;
  /** ID of the subscription. */
  readonly subscription_id?: string | null | undefined;
  /** Name of the subscription. */
  readonly subscription_name?: string | null | undefined;
  /** Where it delivers to. */
  readonly target_host?: string | null | undefined;
  /** Why the last attempt failed. */
  readonly reason?: string | null | undefined;
  /** Since when nothing arrives (UTC). */
  readonly since?: string | null | undefined;
}

/** A delivery. Compare its `type`, and `data` has the fields of that event. */
export type WebhookEvent = KnownEvent | RelayProblemEvent | UnknownEvent;
