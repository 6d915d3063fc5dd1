import { campaignRequestOperations } from './campaign-requests.ts';
import { couponOperations } from './coupons.ts';
import { landingLinkOperations } from './landing-links.ts';
import { screenOperations } from './screens.ts';
import { userOperations } from './users.ts';

// Without a name, the published declarations would spell out every operation.
export type OperationGroups = {
  readonly screens: typeof screenOperations;
  readonly coupons: typeof couponOperations;
  readonly users: typeof userOperations;
  readonly landingLinks: typeof landingLinkOperations;
  readonly campaignRequests: typeof campaignRequestOperations;
};

/** The partner interface: every operation below its resource. Everything else derives from it. */
export const catalogue: OperationGroups = {
  screens: screenOperations,
  coupons: couponOperations,
  users: userOperations,
  landingLinks: landingLinkOperations,
  campaignRequests: campaignRequestOperations,
};
