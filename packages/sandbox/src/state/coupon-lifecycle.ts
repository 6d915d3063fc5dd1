import { ProblemResponseError } from '../http/problem-response-error.ts';
import { type SandboxContext, timestamp } from './context.ts';
import { parseMomentRange } from './sandbox-clock.ts';
import type { Store } from './store.ts';
import type { StoredCoupon } from './stored-records.ts';

type CouponStatus = 'active' | 'redeemed' | 'revoked' | 'expired';

/** The three states other than active are final. */
export function couponStatus(coupon: StoredCoupon, now: number): CouponStatus {
  if (coupon.revoked_at !== null) return 'revoked';
  if (coupon.redemptions >= coupon.max_redemptions) return 'redeemed';
  const end = coupon.valid_until === null ? undefined : parseMomentRange(coupon.valid_until);
  return end && now > end.last ? 'expired' : 'active';
}

const whyNotActive: Record<Exclude<CouponStatus, 'active'>, string> = {
  redeemed: 'was already redeemed',
  revoked: 'was revoked',
  expired: 'has expired',
};

/** A coupon as the service shows it. The contract shows none of its fields (section 2.4). */
export function couponRecord(
  { clock, variants }: SandboxContext,
  coupon: StoredCoupon,
): Record<string, unknown> {
  const { code, accessId: _accessId, redemptions, redeemed_at, revoked_at, ...terms } = coupon;
  if (variants.couponState === 'absent') return { code, ...terms };
  const status = couponStatus(coupon, clock.now());
  return { code, status, ...terms, redemptions, redeemed_at, revoked_at };
}

/** Throws the same error for another access's coupon as for an unknown code. */
export function findCoupon(
  { coupons }: Store,
  code: string,
  { accessId, status = 404 }: { accessId?: string; status?: number } = {},
): StoredCoupon {
  const coupon = coupons.get(code);
  if (coupon && (accessId === undefined || coupon.accessId === accessId)) return coupon;
  throw new ProblemResponseError('not-found', `There is no coupon ${code}.`, { status });
}

/** Code of the access's oldest coupon that can still be redeemed. */
export function firstActiveCode(
  { store, clock }: SandboxContext,
  accessId: string,
): string | undefined {
  return [...store.coupons.values()].find(
    (coupon) => coupon.accessId === accessId && couponStatus(coupon, clock.now()) === 'active',
  )?.code;
}

/** Leaves out letters and digits that people confuse. */
const characters = [...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'] as [string, ...string[]];

/** An unused code in the pattern BVCC-XXXX. */
export function makeCouponCode({ random, coupons }: Store): string {
  for (;;) {
    const code = `BVCC-${Array.from({ length: 4 }, () => random.pick(characters)).join('')}`;
    if (!coupons.has(code)) return code;
  }
}

/** Throws unless the coupon is active. `change` is what was to be done, such as `redeemed`. */
export function checkCouponIsActive(
  coupon: StoredCoupon,
  now: number,
  change: string,
  status = 400,
) {
  const state = couponStatus(coupon, now);
  if (state === 'active') return;
  throw new ProblemResponseError(
    'coupon-not-active',
    `The coupon ${coupon.code} cannot be ${change}: it ${whyNotActive[state]}.`,
    { status },
  );
}

/** Redeems a coupon once. The last allowed redemption sets its status to redeemed. */
export function redeemCoupon(context: SandboxContext, coupon: StoredCoupon): void {
  checkCouponIsActive(coupon, context.clock.now(), 'redeemed', 409);
  coupon.redemptions += 1;
  coupon.redeemed_at = timestamp(context);
}
