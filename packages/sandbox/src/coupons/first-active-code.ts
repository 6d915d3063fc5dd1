import type { SandboxContext } from '../context.ts';
import { couponStatus } from './coupon-status.ts';

/** Code of the oldest coupon of an access that can still be redeemed. */
export function firstActiveCode(
  { store, clock }: SandboxContext,
  accessId: string,
): string | undefined {
  return [...store.coupons.values()].find(
    (coupon) => coupon.accessId === accessId && couponStatus(coupon, clock.now()) === 'active',
  )?.code;
}
