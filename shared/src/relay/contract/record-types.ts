import type { Page, Pagination } from '../../catalogue/operation.ts';

/** The access of a connector key. */
export interface RelayAccess {
  /** Name of its token. */
  name: string;
  /** Name of the source whose events it sees. */
  source: string;
  /** What it may do: `subscribe`, `read`, `manage`. */
  rights: string[];
}

/** A subscription as the relay stores it. */
export interface RelaySubscription {
  /** ID of the subscription. */
  id: string;
  /** Where the relay delivers to. */
  target_url: string;
  /** Names of its events, sorted. */
  events: string[];
  /** What the operator's page shows. */
  name: string | null;
  /** Whether the relay delivers to it. */
  state: 'active' | 'off';
  /**
   * Why it is off: `gone` (its target responded with 410), `failing` (for five days), `by_hand`,
   * `token_revoked`, or `key_rotated` (and the new key not used yet).
   */
  off_reason: string | null;
  /** The most deliveries at once. */
  max_concurrency?: number | undefined;
  /** When it was created (UTC). */
  created_at: string;
  /**
   * When `subscribe` changed the events: those until then. Another program may use the same key and
   * target.
   */
  previous_events?: string[] | undefined;
  /**
   * What `subscribe` skipped, because it had ended more than ten minutes before. `catch_up` delivers
   * these events.
   */
  skipped?:
    | {
        /** When the first of them arrived (UTC). */
        from: string;
        /** How many of the first 2,000 it wants. */
        count: number;
      }
    | undefined;
}

/** The result of a test event, which is neither stored nor retried. */
export interface RelayTestResult {
  /** Whether the target took it. */
  delivered: boolean;
  /** ID of the event. */
  event_id: string;
  /** Name of the event. */
  event_type: string;
  /** True when no event of the subscription's kinds is stored. */
  is_sample: boolean;
  /** HTTP status of the target. Null when no response arrived. */
  status: number | null;
  /** Why no response arrived. */
  error: string | null;
}

/** A stored event. Integers beyond 2^53 are strings of their digits, as `parseEvent` returns them. */
export interface RelayEvent {
  /** ID of the event at the relay, and the `x-relay-event` of its deliveries. */
  id: string;
  /** Name of the event. */
  type: string;
  /** When the relay stored it (UTC). */
  received_at: string;
  /** Its place in the order of all events. */
  position?: string | undefined;
  /** Whether it was erased. Lists leave those out. */
  is_erased?: boolean | undefined;
  /** The fields of the event in its payload. */
  data: Record<string, unknown>;
  /** The body of a delivery. */
  payload: Record<string, unknown>;
}

/** The position of a page of events. */
interface RelayPagination extends Pagination {
  /** The next value of `after`, for a page that was read with one. */
  position?: string;
}

/** A page of events. */
export interface RelayEventPage extends Page<RelayEvent> {
  /** Its position in the list. */
  pagination: RelayPagination;
}
