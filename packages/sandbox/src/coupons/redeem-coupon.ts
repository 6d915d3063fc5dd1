import { type SandboxContext, timestamp } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { StoredCoupon } from '../state/records.ts';
import { couponStatus, whyNotActive } from './coupon-status.ts';
import { findCoupon } from './find-coupon.ts';

/** Somebody uses a coupon once. The last use that it allows makes it redeemed. */
export function redeemCoupon(context: SandboxContext, code: string): StoredCoupon {
  const coupon = findCoupon(context.store, code);
  const status = couponStatus(coupon, context.clock.now());
  if (status !== 'active') {
    throw new Refusal(
      409,
      'coupon-not-active',
      `The coupon ${code} cannot be redeemed: it ${whyNotActive[status]}.`,
    );
  }
  coupon.redemptions += 1;
  coupon.redeemed_at = timestamp(context);
  return coupon;
}
