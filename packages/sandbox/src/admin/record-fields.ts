import * as z from 'zod';

const text = z.string().min(1);

/** Members that are left out stay as they are, or as a seeded record has them. */
export const screenFields = z
  .strictObject({
    id: text,
    name: text,
    description: z.string(),
    country: z.string().regex(/^[A-Z]{2}$/, 'must be 2 capital letters'),
    city: text,
    address: z.string(),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    orientation: text,
    resolution_width: z.int().min(1),
    resolution_height: z.int().min(1),
    price_per_day_cents: z.int().min(0),
    ad_sov_pct: z.number().min(0).max(100),
    venue_type: text,
    is_active: z.boolean(),
    created_at: z.iso.datetime(),
    bookable: z.boolean(),
    used_sov_pct: z.number().min(0).max(100).nullable(),
  })
  .partial();

export const userFields = z
  .strictObject({
    user_id: text,
    email: z.email(),
    vat_uid: text.nullable(),
    registered_at: z.iso.datetime(),
    has_bookings: z.boolean(),
    referredBy: text.nullable(),
  })
  .partial();

export const campaignRequestFields = z
  .strictObject({
    id: text,
    accessId: text,
    status: z.enum(['rejected', 'abandoned', 'no_inventory', 'converted']).nullable(),
    industry: text,
    email: z.email(),
    created_at: z.iso.datetime(),
  })
  .partial();
