import { getCampaignRequest, listCampaignRequests } from './campaign-requests.ts';
import { createCoupon, getCoupon, revokeCoupon } from './coupons.ts';
import {
  campaignPaid,
  campaignRequestCreated,
  campaignRequestRejected,
  couponRedeemed,
  userRegistered,
} from './events.ts';
import { createLandingLink } from './landing-links.ts';
import { getAvailability, getScreen, listScreens } from './screens.ts';
import { lookupUser } from './users.ts';

/** Every operation of the partner interface by name. Add one here and everything picks it up. */
export const operations = {
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
} as const;

/** The name of an operation, such as `coupon.create`. */
export type OperationName = keyof typeof operations;

/** Every webhook event by name. */
export const events = {
  'user.registered': userRegistered,
  'campaign.paid': campaignPaid,
  'coupon.redeemed': couponRedeemed,
  'campaign_request.created': campaignRequestCreated,
  'campaign_request.rejected': campaignRequestRejected,
} as const;

/** The name of an event, such as `coupon.redeemed`. */
export type EventName = keyof typeof events;
