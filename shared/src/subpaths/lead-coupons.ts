/** `@screen-advertising/core/lead-coupons`: coupons that are found again by their leads. */
export {
  couponKey,
  type FindCouponParams,
  type LeadCoupon,
  type LeadCouponParams,
  leadCoupons,
  withLeadCoupons,
} from '../coupons/coupon-forms.ts';
