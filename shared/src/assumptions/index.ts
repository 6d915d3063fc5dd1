import { aboutAccess } from './about-access.ts';
import { aboutDeliveries } from './about-deliveries.ts';
import { aboutCoupons, aboutRecords, aboutScreens } from './about-records.ts';

// Without a name, the published declarations would spell out every assumption.
type Assumptions = typeof aboutRecords &
  typeof aboutScreens &
  typeof aboutCoupons &
  typeof aboutDeliveries &
  typeof aboutAccess;

/**
 * Everything the contract leaves open ("not shown"), in one place. The sandbox plays every accepted
 * variant, and the tests run over all of them.
 */
export const assumptions: Assumptions = {
  ...aboutRecords,
  ...aboutScreens,
  ...aboutCoupons,
  ...aboutDeliveries,
  ...aboutAccess,
};

/** The name of an assumption, such as `singleRecord`. */
export type AssumptionName = keyof typeof assumptions;

/**
 * One accepted variant of each assumption: what a service, such as the sandbox, does. A scheme of
 * signatures may join several words with commas.
 */
export type Variants = {
  -readonly [Name in Exclude<
    AssumptionName,
    'signatureScheme'
  >]: (typeof assumptions)[Name]['accepted'][number];
} & { signatureScheme: string };
