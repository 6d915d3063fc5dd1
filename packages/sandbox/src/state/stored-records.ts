import { type EventName, events } from '@screen-advertising/core';
import { couponFields } from '@screen-advertising/core/contract';
import * as z from 'zod';
import { momentFormats, readMoment } from '../moments.ts';
import { clockMoment, count, filled, moment, percent, text, webhookUrl } from './field-types.ts';

/**
 * What the sandbox stores. All of it is plain JSON, and whatever a route accepts is valid here, so
 * any snapshot can be restored.
 */

/** Section 2.1, plus three internal members. */
export const storedScreen = z.strictObject({
  id: filled,
  name: filled,
  description: text,
  country: z.string().regex(/^[A-Z]{2}$/, 'must be 2 capital letters'),
  city: filled,
  address: text,
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  orientation: filled,
  resolution_width: z.int().min(1),
  resolution_height: z.int().min(1),
  price_per_day_cents: z.int().min(0),
  ad_sov_pct: percent,
  venue_type: filled,
  is_active: z.boolean(),
  created_at: moment,
  /** The service responds to a screen that cannot be booked as if it did not exist. */
  bookable: z.boolean(),
  /** Share of ad time already used, in any period; null derives it from screen and period. */
  used_sov_pct: percent.nullable(),
  /** Increases with every added screen. Cursors contain it. */
  position: count,
});

export const storedCoupon = z
  .strictObject({
    code: couponFields.code.def.innerType,
    accessId: filled,
    discount_type: couponFields.discount_type,
    discount_value: couponFields.discount_value,
    lead_email: couponFields.lead_email,
    max_redemptions: couponFields.max_redemptions.def.innerType,
    /** As the partner wrote it. */
    valid_until: text.refine((value) => readMoment(value), `must be ${momentFormats}`).nullable(),
    lead_metadata: couponFields.lead_metadata,
    redemptions: count,
    created_at: moment,
    redeemed_at: moment.nullable(),
    revoked_at: moment.nullable(),
  })
  .refine(
    ({ discount_type, discount_value }) => discount_type !== 'percent' || discount_value <= 100,
    {
      path: ['discount_value'],
      error: 'must be at most 100 when discount_type is percent',
    },
  );

export const storedUser = z.strictObject({
  user_id: filled,
  email: filled,
  vat_uid: filled.nullable(),
  registered_at: moment,
  has_bookings: z.boolean(),
  /** The access that referred the user. */
  referredBy: filled.nullable(),
});

export const storedCampaignRequest = z.strictObject({
  id: filled,
  accessId: filled,
  /** Null until there is an outcome: the contract has no status for an open request. */
  status: z.enum(['rejected', 'abandoned', 'no_inventory', 'converted']).nullable(),
  industry: filled,
  email: filled,
  created_at: moment,
  updated_at: moment,
  position: count,
});

export const storedToken = z.strictObject({
  accessId: filled,
  /** Milliseconds on the sandbox clock. */
  expiresAt: z.number(),
});

/** An address that receives the events of an access. */
export const webhookRegistration = z.strictObject({
  id: filled,
  accessId: filled,
  url: webhookUrl,
});

const deliveryAttempt = z.strictObject({
  /** On the sandbox clock. */
  at: moment,
  /** Sent by hand, outside the retry schedule. */
  manual: z.boolean(),
  /** The X-Service-Signature header as sent; null if no request could be sent. */
  signature: text.nullable(),
  /** Status of the response; null if there was none. */
  status: z.int().nullable(),
  /** Real milliseconds until the response or the timeout. */
  latencyMs: z.number(),
  /** Why the attempt failed; null if it did not. */
  error: z.string().nullable(),
});

export const storedDelivery = z.strictObject({
  id: filled,
  eventId: filled,
  event: z.enum(Object.keys(events) as [EventName, ...EventName[]]),
  accessId: filled,
  webhookId: filled,
  url: webhookUrl,
  /** The raw text that is signed and sent, identical in every attempt. */
  body: text,
  /** `pending` while attempts are due, then `delivered` or, after the last retry, `exhausted`. */
  status: z.enum(['pending', 'delivered', 'exhausted']),
  createdAt: clockMoment,
  nextAttemptAt: clockMoment.nullable(),
  attempts: z.array(deliveryAttempt),
});

export type StoredScreen = z.output<typeof storedScreen>;
export type StoredCoupon = z.output<typeof storedCoupon>;
export type StoredUser = z.output<typeof storedUser>;
export type StoredCampaignRequest = z.output<typeof storedCampaignRequest>;
export type StoredToken = z.output<typeof storedToken>;
export type WebhookRegistration = z.output<typeof webhookRegistration>;
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;
export type Delivery = z.output<typeof storedDelivery>;
