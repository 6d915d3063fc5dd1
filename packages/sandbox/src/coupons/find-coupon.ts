import { Refusal } from '../http/refusal.ts';
import type { StoredCoupon } from '../state/records.ts';
import type { Store } from '../state/store.ts';

/** The coupon of this code; that of another access is not found either. */
export function findCoupon({ coupons }: Store, code: string, accessId?: string): StoredCoupon {
  const coupon = coupons.get(code);
  if (coupon && (accessId === undefined || coupon.accessId === accessId)) return coupon;
  throw new Refusal(404, 'not-found', `There is no coupon ${code}.`);
}
