import type { DescribedEventKind } from '../catalogue/events.ts';

/** What every delivery says, read from any of the accepted shapes; see the assumptions about events. */
export interface EventEnvelope {
  /**
   * `event_id`, `id` or `delivery_id`; undefined without one. An `id` next to the fields of a flat
   * event is ignored: it belongs to the record, and several events may be about one record.
   */
  readonly id: string | undefined;
  /** The whole body. Integers beyond 2^53 are strings of their digits. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Sent when a user you referred registers. */
export interface UserRegisteredEvent extends EventEnvelope {
  /** The name of the event. */
  readonly type: 'user.registered';
  /**
   * What happened. The specification shows no fields, so each may be missing; `allFields` shows
   * others.
   */
  readonly data: UserRegisteredData;
}

/** The `data` of user.registered. */
export interface UserRegisteredData {
  /** ID of the user. */
  readonly user_id?: string | null | undefined;
  /** Email address of the user. */
  readonly email?: string | null | undefined;
  /** When the user registered. */
  readonly registered_at?: string | null | undefined;
}

/** Sent when a campaign is paid. */
export interface CampaignPaidEvent extends EventEnvelope {
  /** The name of the event. */
  readonly type: 'campaign.paid';
  /**
   * What happened. The specification shows no fields, so each may be missing; `allFields` shows
   * others.
   */
  readonly data: CampaignPaidData;
}

/** The `data` of campaign.paid. */
export interface CampaignPaidData {
  /** ID of the campaign. */
  readonly campaign_id?: string | null | undefined;
  /** ID of the user who paid. */
  readonly user_id?: string | null | undefined;
  /** What was paid, in cents. */
  readonly amount_cents?: number | null | undefined;
  /** When it was paid. */
  readonly paid_at?: string | null | undefined;
}

/** Sent when one of your coupons is redeemed. */
export interface CouponRedeemedEvent extends EventEnvelope {
  /** The name of the event. */
  readonly type: 'coupon.redeemed';
  /**
   * What happened. The specification shows no fields, so each may be missing; `allFields` shows
   * others.
   */
  readonly data: CouponRedeemedData;
}

/** The `data` of coupon.redeemed. */
export interface CouponRedeemedData {
  /** Code of the coupon. */
  readonly code?: string | null | undefined;
  /** Email address of the lead. */
  readonly lead_email?: string | null | undefined;
  /** When the coupon was redeemed. */
  readonly redeemed_at?: string | null | undefined;
}

/** Sent when a campaign request is created. */
export interface CampaignRequestCreatedEvent extends EventEnvelope {
  /** The name of the event. */
  readonly type: 'campaign_request.created';
  /**
   * What happened. The specification shows no fields, so each may be missing; `allFields` shows
   * others.
   */
  readonly data: CampaignRequestCreatedData;
}

/** The `data` of campaign_request.created. */
export interface CampaignRequestCreatedData {
  /** ID of the campaign request. */
  readonly id?: string | null | undefined;
  /** Industry of the campaign. */
  readonly industry?: string | null | undefined;
  /** Email address of the person who asks. */
  readonly email?: string | null | undefined;
  /** When the request was created. */
  readonly created_at?: string | null | undefined;
}

/** Sent when a campaign request is rejected. */
export interface CampaignRequestRejectedEvent extends EventEnvelope {
  /** The name of the event. */
  readonly type: 'campaign_request.rejected';
  /**
   * What happened. The specification shows no fields, so each may be missing; `allFields` shows
   * others.
   */
  readonly data: CampaignRequestRejectedData;
}

/** The `data` of campaign_request.rejected. */
export interface CampaignRequestRejectedData {
  /** ID of the campaign request. */
  readonly id?: string | null | undefined;
  /** Status of the request. */
  readonly status?: string | null | undefined;
  /** Industry of the campaign. */
  readonly industry?: string | null | undefined;
  /** Email address of the person who asked. */
  readonly email?: string | null | undefined;
  /** When the request was rejected. */
  readonly rejected_at?: string | null | undefined;
}

/** An event that this version of the package knows. */
export type KnownEvent =
  | UserRegisteredEvent
  | CampaignPaidEvent
  | CouponRedeemedEvent
  | CampaignRequestCreatedEvent
  | CampaignRequestRejectedEvent;

/** Every kind of event by name. */
export type EventKinds = {
  /** Sent when a user you referred registers. */
  readonly 'user.registered': DescribedEventKind<'user.registered'>;
  /** Sent when a campaign is paid. */
  readonly 'campaign.paid': DescribedEventKind<'campaign.paid'>;
  /** Sent when one of your coupons is redeemed. */
  readonly 'coupon.redeemed': DescribedEventKind<'coupon.redeemed'>;
  /** Sent when a campaign request is created. */
  readonly 'campaign_request.created': DescribedEventKind<'campaign_request.created'>;
  /** Sent when a campaign request is rejected. */
  readonly 'campaign_request.rejected': DescribedEventKind<'campaign_request.rejected'>;
};
