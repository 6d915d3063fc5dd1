import * as z from 'zod';
import { isClockMoment } from '../moments.ts';
import { check } from '../problems/check.ts';
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

const data = z
  .strictObject({
    screens: inOrder(collection(storedScreen, ({ id }) => id)),
    coupons: collection(storedCoupon, ({ code }) => code),
    users: collection(storedUser, ({ user_id }) => user_id),
    campaignRequests: inOrder(collection(storedCampaignRequest, ({ id }) => id)),
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
  })
  .superRefine(({ screens, campaignRequests, counters }, { addIssue }) => {
    const lists = { screenPosition: screens, campaignRequestPosition: campaignRequests };
    for (const [name, list] of Object.entries(lists)) {
      const last = list.at(-1)?.[1].position ?? 0;
      const message = `must be at least ${last}, the position of the last record`;
      if ((counters[name] ?? 0) < last)
        addIssue({ code: 'custom', path: ['counters', name], message });
    }
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

/** Records by key, in the order they were added. */
function collection<Item>(record: z.ZodType<Item>, keyOf?: (item: Item) => string) {
  return z.array(z.tuple([z.string(), record])).superRefine((entries, { addIssue }) => {
    const seen = new Set<string>();
    for (const [index, [key, item]] of entries.entries()) {
      const refuse = (message: string) => addIssue({ code: 'custom', path: [index, 0], message });
      if (keyOf && keyOf(item) !== key) refuse(`must be ${keyOf(item)}, as in the record`);
      if (seen.has(key)) refuse(`${key} appears twice`);
      seen.add(key);
    }
  });
}

/** Lists are sorted by position, because a cursor stores the position to continue after. */
function inOrder<Item extends { position: number }>(entries: z.ZodType<[string, Item][]>) {
  return entries.superRefine((list, { addIssue }) => {
    let last = 0;
    for (const [index, [, { position }]] of list.entries()) {
      const message = `must be more than ${last}, the position of the previous record`;
      if (position <= last) addIssue({ code: 'custom', path: [index, 1, 'position'], message });
      last = position;
    }
  });
}
