import * as z from 'zod';
import { isClockMoment } from '../moments.ts';
import { check } from '../problems/problem-response-error.ts';
import { count } from './field-types.ts';
import {
  storedCampaignRequest,
  storedCoupon,
  storedDelivery,
  storedScreen,
  storedToken,
  storedUser,
  webhookRegistration,
} from './stored-records.ts';

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
export type StoredData = Snapshot['data'];

/** Returns a validated copy, or throws a ProblemResponseError that names the invalid fields. */
export function readSnapshot(value: unknown): Snapshot {
  return check(snapshot, value);
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
