import type { EventName } from '@screen-advertising/core';

/** What the sandbox keeps. All of it is plain JSON. */

/** Section 2.1, and three members that stay inside. */
export interface StoredScreen {
  id: string;
  name: string;
  description: string;
  country: string;
  city: string;
  address: string;
  latitude: number;
  longitude: number;
  orientation: string;
  resolution_width: number;
  resolution_height: number;
  price_per_day_cents: number;
  ad_sov_pct: number;
  venue_type: string;
  is_active: boolean;
  created_at: string;
  /** A screen that cannot be booked is answered like one that does not exist. */
  bookable: boolean;
  /** Share of ad time already used, whatever the period; null draws it from screen and period. */
  used_sov_pct: number | null;
  /** Grows with every screen that is added; cursors hold it. */
  position: number;
}

export interface StoredCoupon {
  code: string;
  accessId: string;
  discount_type: string;
  discount_value: number;
  lead_email: string;
  max_redemptions: number;
  /** As the partner wrote it. */
  valid_until: string | null;
  lead_metadata?: unknown;
  redemptions: number;
  created_at: string;
  redeemed_at: string | null;
  revoked_at: string | null;
}

export interface StoredUser {
  user_id: string;
  email: string;
  vat_uid: string | null;
  registered_at: string;
  has_bookings: boolean;
  /** The access that referred the user. */
  referredBy: string | null;
}

export interface StoredCampaignRequest {
  id: string;
  accessId: string;
  /** Null until there is an outcome: the contract knows no status for an open request. */
  status: string | null;
  industry: string;
  email: string;
  created_at: string;
  updated_at: string;
  position: number;
}

export interface StoredToken {
  accessId: string;
  /** Milliseconds on the sandbox clock. */
  expiresAt: number;
}

/** An address that an access gets its events at. */
export interface WebhookRegistration {
  id: string;
  accessId: string;
  url: string;
}

export interface DeliveryAttempt {
  /** On the sandbox clock. */
  at: string;
  /** By hand, outside the retry schedule. */
  manual: boolean;
  /** The header X-Service-Signature as it was sent; null when nothing could be sent. */
  signature: string | null;
  /** Status of the answer; null when none came. */
  status: number | null;
  /** Real milliseconds until the answer, or until it was given up. */
  latencyMs: number;
  /** Why the attempt failed; null when it did not. */
  error: string | null;
}

export interface Delivery {
  id: string;
  eventId: string;
  event: EventName;
  accessId: string;
  webhookId: string;
  url: string;
  /** The raw text that is signed and sent, the same in every attempt. */
  body: string;
  /** `pending` while attempts are due, then `delivered` or, after the last retry, `exhausted`. */
  status: 'pending' | 'delivered' | 'exhausted';
  createdAt: string;
  nextAttemptAt: string | null;
  attempts: DeliveryAttempt[];
}

type Fields<Item> = { readonly [Name in keyof Item]?: Item[Name] | undefined };

export type ScreenFields = Fields<Omit<StoredScreen, 'position'>>;
export type UserFields = Fields<StoredUser>;
export type CampaignRequestFields = Fields<Omit<StoredCampaignRequest, 'position' | 'updated_at'>>;
