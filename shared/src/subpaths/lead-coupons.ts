/** `@screen-advertising/core/lead-coupons`: coupons that are found again by their leads. */
export {
  couponKeyOrSecret,
  type GetCouponParams,
  type LeadCoupon,
  type LeadCouponParams,
  leadCouponOperations,
  shownOperations,
  withLeadCoupons,
} from '../coupons/with-lead-coupons.ts';
