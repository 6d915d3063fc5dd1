import { campaignRequests } from './campaign-requests.ts';
import { coupons } from './coupons.ts';
import { landingLinks } from './landing-links.ts';
import { screens } from './screens.ts';
import { users } from './users.ts';

// Without a name, the published declarations would spell out every operation.
export type Groups = {
  readonly screens: typeof screens;
  readonly coupons: typeof coupons;
  readonly users: typeof users;
  readonly landingLinks: typeof landingLinks;
  readonly campaignRequests: typeof campaignRequests;
};

/** The partner interface: every operation below its resource. Everything else derives from it. */
export const catalogue: Groups = { screens, coupons, users, landingLinks, campaignRequests };
