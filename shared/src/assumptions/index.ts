import { accessAssumptions } from './about-access.ts';
import { deliveryAssumptions } from './about-deliveries.ts';
import { couponAssumptions, recordAssumptions, screenAssumptions } from './about-records.ts';

// Without a name, the published declarations would spell out every assumption.
type Assumptions = typeof recordAssumptions &
  typeof screenAssumptions &
  typeof couponAssumptions &
  typeof deliveryAssumptions &
  typeof accessAssumptions;

/**
 * Everything the contract leaves open ("not shown"), in one place. The sandbox plays every accepted
 * variant, and the tests run over all of them.
 */
export const assumptions: Assumptions = {
  ...recordAssumptions,
  ...screenAssumptions,
  ...couponAssumptions,
  ...deliveryAssumptions,
  ...accessAssumptions,
};

/** The name of an assumption, such as `singleRecord`. */
export type AssumptionName = keyof typeof assumptions;

/**
 * One accepted variant of each assumption: what a service, such as the sandbox, does. A scheme of
 * signatures may join several words with commas.
 */
export type AssumptionVariants = {
  -readonly [Name in Exclude<
    AssumptionName,
    'signatureScheme'
  >]: (typeof assumptions)[Name]['accepted'][number];
} & { signatureScheme: string };
