import { campaignRequestRoutes } from './campaign-requests.ts';
import { couponRoutes } from './coupons.ts';
import { landingLinkRoutes } from './landing-links.ts';
import type { Routes } from './route.ts';
import { screenRoutes } from './screens.ts';
import { userRoutes } from './users.ts';

/** One route per operation of the catalogue. The compiler asks for a missing one. */
export const routes: Routes = {
  ...screenRoutes,
  ...couponRoutes,
  ...userRoutes,
  ...landingLinkRoutes,
  ...campaignRequestRoutes,
};
