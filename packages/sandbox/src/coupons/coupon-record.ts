import type { StoredCoupon } from '../state/records.ts';
import { couponStatus } from './coupon-status.ts';

/** A coupon as the service shows it. The contract shows none of its fields (section 2.4). */
export function couponRecord(
  { accessId: _accessId, ...coupon }: StoredCoupon,
  now: number,
): Record<string, unknown> {
  const { code, ...rest } = coupon;
  return { code, status: couponStatus({ accessId: _accessId, ...coupon }, now), ...rest };
}
