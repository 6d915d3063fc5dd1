import { type EventName, events } from '@screen-advertising/core';
import { couponFields } from '@screen-advertising/core/contract';
import * as z from 'zod';
import { parseWithSchema } from '../http/problem-response-error.ts';
import { isClockMoment, momentFormats, parseMomentRange } from './sandbox-clock.ts';

/*
 * The stored records. All of them are plain JSON, and whatever a route accepts is valid here, so
 * any snapshot can be restored.
 */

/** A lone surrogate is not valid text: a URL that contains it cannot be written. */
const text = z.string().refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
export const nonEmptyText = text.min(1, 'must not be empty');
const moment = z.iso.datetime('must be a timestamp such as 2027-03-31T23:59:59Z');
/** A moment that the sandbox acts on, so its clock must be able to reach it. */
const clockMoment = moment.refine((value) => {
  const at = Date.parse(value);
  return Number.isNaN(at) || isClockMoment(at);
}, 'must be between the years 1970 and 5000');
/** Larger positions do not fit into a cursor. */
const maxNumber = 10 ** 14;
const count = z.int().min(0).max(maxNumber);
const percent = z.number().min(0).max(100);

/** The address of a webhook. */
const webhookUrl = text
  .refine((url) => ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''), {
    error: 'must be an http or https address such as http://127.0.0.1:5678/webhook/demo',
    abort: true,
  })
  .refine(
    canBeSent,
    'must be an address that writes a percent sign in its username or password as %25',
  );

/** Node decodes username and password before it sends them. */
function canBeSent(url: string): boolean {
  const { username, password } = new URL(url);
  try {
    return decodeURIComponent(`${username}:${password}`) !== '';
  } catch {
    return false;
  }
}

/** Section 2.1, plus three internal members. */
export const storedScreen = z.strictObject({
  id: nonEmptyText,
  name: nonEmptyText,
  description: text,
  country: z.string().regex(/^[A-Z]{2}$/, 'must be 2 capital letters'),
  city: nonEmptyText,
  address: text,
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  orientation: nonEmptyText,
  resolution_width: z.int().min(1),
  resolution_height: z.int().min(1),
  price_per_day_cents: z.int().min(0),
  ad_sov_pct: percent,
  venue_type: nonEmptyText,
  is_active: z.boolean(),
  created_at: moment,
  /** The service responds to a screen that cannot be booked as if it did not exist. */
  bookable: z.boolean(),
  /** Share of ad time already used, in any period; null derives it from screen and period. */
  used_sov_pct: percent.nullable(),
  /** Increases with every added screen. Cursors contain it. */
  position: count,
});

const storedCoupon = z
  .strictObject({
    ...couponFields,
    code: couponFields.code.def.innerType,
    accessId: nonEmptyText,
    max_redemptions: couponFields.max_redemptions.def.innerType,
    /** Kept as the partner wrote it. */
    valid_until: text
      .refine((value) => parseMomentRange(value), `must be ${momentFormats}`)
      .nullable(),
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
  user_id: nonEmptyText,
  email: nonEmptyText,
  vat_uid: nonEmptyText.nullable(),
  registered_at: moment,
  has_bookings: z.boolean(),
  /** The access that referred the user. */
  referredBy: nonEmptyText.nullable(),
});

export const storedCampaignRequest = z.strictObject({
  id: nonEmptyText,
  accessId: nonEmptyText,
  /** Null until there is an outcome: the contract has no status for an open request. */
  status: z.enum(['rejected', 'abandoned', 'no_inventory', 'converted']).nullable(),
  industry: nonEmptyText,
  email: nonEmptyText,
  created_at: moment,
  updated_at: moment,
  position: count,
});

const storedToken = z.strictObject({
  accessId: nonEmptyText,
  /** Milliseconds on the sandbox clock. */
  expiresAt: z.number(),
});

/** An address that receives the events of an access. */
export const webhookRegistration = z.strictObject({
  id: nonEmptyText,
  accessId: nonEmptyText,
  url: webhookUrl,
  /** Who receives there, for the pages. */
  name: text.optional(),
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
  /** Why the receiver accepted the event and started nothing. */
  ignored: z.string().optional(),
});

const storedDelivery = z.strictObject({
  id: nonEmptyText,
  eventId: nonEmptyText,
  event: z.enum(Object.keys(events) as [EventName, ...EventName[]]),
  accessId: nonEmptyText,
  webhookId: nonEmptyText,
  url: webhookUrl,
  /** The raw text that is signed and sent, identical in every attempt. */
  body: text,
  /** `pending` while attempts are due, then `delivered` or, after the last retry, `exhausted`. */
  status: z.enum(['pending', 'delivered', 'exhausted']),
  createdAt: clockMoment,
  nextAttemptAt: clockMoment.nullable(),
  attempts: z.array(deliveryAttempt),
});

const clockState = z
  .strictObject({
    /** Milliseconds that the clock is ahead of (or behind) real time while it runs; 0 otherwise. */
    offsetMs: z.number(),
    /** When the clock stands still, its moment in milliseconds since 1970; null while it runs. */
    frozenAt: z.number().nullable(),
  })
  .refine(({ offsetMs, frozenAt }) => isClockMoment(frozenAt ?? Date.now() + offsetMs), {
    error: 'must be between the years 1970 and 5000',
  });

const data = z.strictObject({
  /** Sorted, because a cursor stores the position to continue after. */
  screens: collection(storedScreen, ({ id }) => id).transform(byPosition),
  coupons: collection(storedCoupon, ({ code }) => code),
  users: collection(storedUser, ({ user_id }) => user_id),
  campaignRequests: collection(storedCampaignRequest, ({ id }) => id).transform(byPosition),
  /** Keyed by SHA-256, so a snapshot contains no usable token. */
  tokens: collection(storedToken),
  webhooks: collection(webhookRegistration, ({ id }) => id),
  deliveries: collection(storedDelivery, ({ id }) => id),
  /** The last number issued, by kind of record. */
  counters: z.record(z.string(), count),
  random: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
});

const snapshot = z.strictObject({ version: z.literal(1), clock: clockState, data });

/**
 * The whole state as plain JSON. It contains no secret: credentials belong to the options, and
 * access tokens are stored as digests.
 */
export type Snapshot = z.output<typeof snapshot>;

/** Returns a validated copy, or throws a ProblemResponseError that names the invalid fields. */
export function readSnapshot(value: unknown): Snapshot {
  return parseWithSchema(snapshot, value);
}

/** Records by key, in the order they were added. A changed record gets its own key. */
function collection<Item>(record: z.ZodType<Item>, keyOf?: (item: Item) => string) {
  return z
    .array(z.tuple([z.string(), record]))
    .transform((entries) =>
      entries.map(([key, item]): [string, Item] => [keyOf?.(item) ?? key, item]),
    );
}

function byPosition<Item extends { position: number }>(entries: [string, Item][]) {
  return entries.toSorted(([, a], [, b]) => a.position - b.position);
}

export type StoredData = Snapshot['data'];
export type StoredScreen = z.output<typeof storedScreen>;
export type StoredCoupon = z.output<typeof storedCoupon>;
export type StoredUser = z.output<typeof storedUser>;
export type StoredCampaignRequest = z.output<typeof storedCampaignRequest>;
export type StoredToken = z.output<typeof storedToken>;
export type WebhookRegistration = z.output<typeof webhookRegistration>;
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;
export type Delivery = z.output<typeof storedDelivery>;
