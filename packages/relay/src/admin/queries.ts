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

export interface EventQuery extends PageQuery, TimeRange {
  readonly type?: string | undefined;
}

export interface EventReplay extends OfSource {
  /** Default: every subscription that the event was for. */
  readonly subscription_id?: string | undefined;
}

export interface DeliveryQuery extends PageQuery {
  readonly state?: DeliveryState | undefined;
  readonly subscription_id?: string | undefined;
  readonly event_id?: string | undefined;
}

/** One delivery by its ID, or those of a subscription. */
export type DeliveryReplay =
  | (OfSource & { readonly id: string })
  | (OfSource &
      TimeRange & {
        readonly subscription_id: string;
        readonly state?: DeliveryState | undefined;
      });
