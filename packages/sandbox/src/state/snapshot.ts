import * as z from 'zod';
import type { ClockState } from '../clock/sandbox-clock.ts';
import type { StoredData } from './store.ts';

/**
 * The whole state as plain JSON. It holds no secret: credentials belong to the options, and of
 * access tokens there are digests only.
 */
export interface Snapshot {
  readonly version: 1;
  readonly clock: ClockState;
  readonly data: StoredData;
}

const collection = z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())]));

/** Tells a snapshot from something else; it does not look into each record. */
const shape = z.strictObject({
  version: z.literal(1),
  clock: z.strictObject({ offsetMs: z.number(), frozenAt: z.number().nullable() }),
  data: z.strictObject({
    screens: collection,
    coupons: collection,
    users: collection,
    campaignRequests: collection,
    tokens: collection,
    webhooks: collection,
    deliveries: collection,
    counters: z.record(z.string(), z.number()),
    random: z.number(),
  }),
});

export function isSnapshot(value: unknown): value is Snapshot {
  return shape.safeParse(value).success;
}
