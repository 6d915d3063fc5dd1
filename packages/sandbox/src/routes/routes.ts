import type { OperationName } from '@screen-advertising/core';
import { getCampaignRequest, listCampaignRequests } from './campaign-requests.ts';
import { createCoupon, getCoupon, revokeCoupon } from './coupons.ts';
import { createLandingLink } from './landing-links.ts';
import type { Route } from './route.ts';
import { getAvailability, getScreen, listScreens } from './screens.ts';
import { lookupUser } from './users.ts';

/** One route per operation of the catalogue. The compiler asks for a missing one. */
export const routes: Record<OperationName, Route> = {
  'screen.list': listScreens,
  'screen.get': getScreen,
  'screen.availability': getAvailability,
  'coupon.create': createCoupon,
  'coupon.get': getCoupon,
  'coupon.revoke': revokeCoupon,
  'user.lookup': lookupUser,
  'landingLink.create': createLandingLink,
  'campaignRequest.list': listCampaignRequests,
  'campaignRequest.get': getCampaignRequest,
};
