import type { DeliveryState } from '../database/tables.ts';

/** The source may be left out if there is only one. */
interface OfSource {
  readonly source?: string | undefined;
}

interface PageQuery extends OfSource {
  /** 1 to 200. Default: 50. */
  readonly limit?: number | undefined;
  /** The `cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

interface TimeRange {
  /** ISO 8601. Only events that arrived at this time or later. */
  readonly from?: string | undefined;
  /** ISO 8601. Only events that arrived before this time. */
  readonly to?: string | undefined;
}

export type SubscriptionQuery = PageQuery;

export type SubscriptionOptions = OfSource;

export interface MissingQuery extends OfSource {
  /** ISO 8601. Events that arrived at this time or later. */
  readonly since: string;
  /** ISO 8601. Only events that arrived before this time. Default: now. */
  readonly until?: string | undefined;
}

export interface EventQuery extends PageQuery, TimeRange {
  readonly type?: string | undefined;
  /** The ID of an event, or a whole value in its data, such as an email address. In any case. */
  readonly search?: string | undefined;
}

export interface EventReplay extends OfSource {
  /** Any of the source. Default: every subscription that the event was for. */
  readonly subscription_id?: string | undefined;
}

export interface DeliveryQuery extends PageQuery {
  readonly state?: DeliveryState | undefined;
  readonly subscription_id?: string | undefined;
  readonly event_id?: string | undefined;
}

export type DeliveryOptions = OfSource;

/** One delivery by its ID, or those of a subscription. */
export type DeliveryReplay =
  | (OfSource & { readonly id: string })
  | (OfSource &
      TimeRange & {
        readonly subscription_id: string;
        readonly state?: DeliveryState | undefined;
      });

/** Up to 100 deliveries by their IDs, or every pending one of a subscription. */
export type DeliveryRetry =
  | (OfSource & { readonly ids: readonly string[] })
  | (OfSource & { readonly subscription_id: string });
