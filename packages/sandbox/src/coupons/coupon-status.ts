import { readMoment } from '../moments.ts';
import type { StoredCoupon } from '../state/records.ts';

export type CouponStatus = 'active' | 'redeemed' | 'revoked' | 'expired';

/** Nothing leaves the three states other than active. */
export function couponStatus(coupon: StoredCoupon, now: number): CouponStatus {
  if (coupon.revoked_at !== null) return 'revoked';
  if (coupon.redemptions >= coupon.max_redemptions) return 'redeemed';
  const end = coupon.valid_until === null ? undefined : readMoment(coupon.valid_until);
  return end && now > end.last ? 'expired' : 'active';
}

/** Why a coupon that is not active is so, for people. */
export const whyNotActive: Record<Exclude<CouponStatus, 'active'>, string> = {
  redeemed: 'was already redeemed',
  revoked: 'was revoked',
  expired: 'has expired',
};
