import * as z from 'zod';

/** Half of a surrogate pair is no text: addresses made of it cannot be written. */
const text = z.string().refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
const filled = text.min(1, 'must not be empty');
const email = z.email('must be an e-mail address such as lead@example.com');
const moment = z.iso.datetime('must be a timestamp such as 2027-03-31T23:59:59Z');

/** Members that are left out stay as they are, or as a seeded record has them. */
export const screenFields = z
  .strictObject({
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
    ad_sov_pct: z.number().min(0).max(100),
    venue_type: filled,
    is_active: z.boolean(),
    created_at: moment,
    bookable: z.boolean(),
    used_sov_pct: z.number().min(0).max(100).nullable(),
  })
  .partial();

export const userFields = z
  .strictObject({
    user_id: filled,
    email,
    vat_uid: filled.nullable(),
    registered_at: moment,
    has_bookings: z.boolean(),
    referredBy: filled.nullable(),
  })
  .partial();

export const campaignRequestFields = z
  .strictObject({
    id: filled,
    accessId: filled,
    status: z.enum(['rejected', 'abandoned', 'no_inventory', 'converted']).nullable(),
    industry: filled,
    email,
    created_at: moment,
  })
  .partial();

/** Of the event that tells of a redemption: which coupon it is. */
export const redemptionFields = z.object({ code: filled.optional() });
