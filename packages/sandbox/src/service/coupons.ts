import { ProblemResponseError } from '../http/problem-response-error.ts';
import { timestamp } from '../state/context.ts';
import {
  checkCouponIsActive,
  couponRecord,
  couponStatus,
  findCoupon,
  makeCouponCode,
} from '../state/coupon-lifecycle.ts';
import { momentFormats, parseMomentRange } from '../state/sandbox-clock.ts';
import type { StoredCoupon } from '../state/stored-records.ts';
import {
  invalidParameter,
  type RouteCall,
  type RouteNotes,
  type Routes,
  recordResponse,
} from './route.ts';

/**
 * Its status is in the contract, so it comes before the general validation, whose status it does not
 * show.
 */
export function checkPercentAtMost100({
  discount_type,
  discount_value,
}: Record<string, unknown>): void {
  if (discount_type !== 'percent') return;
  if (typeof discount_value !== 'number' || discount_value <= 100) return;
  throw new ProblemResponseError(
    'discount-too-large',
    `discount_value must be at most 100 when discount_type is percent, not ${discount_value}.`,
  );
}

export const couponRoutes = {
  'coupon.create'(call) {
    const { context, access, input } = call;
    if (input.valid_until !== undefined && !parseMomentRange(input.valid_until)) {
      throw invalidParameter(
        context.variants,
        `valid_until must be ${momentFormats}, not "${input.valid_until}".`,
      );
    }
    refuseTakenCode(call, input.code);
    refuseSecondCoupon(call, input.lead_email);
    const coupon: StoredCoupon = {
      ...input,
      code: input.code ?? makeCouponCode(context.store),
      accessId: access.id,
      max_redemptions: input.max_redemptions ?? 1,
      valid_until: input.valid_until ?? null,
      redemptions: 0,
      created_at: timestamp(context),
      redeemed_at: null,
      revoked_at: null,
    };
    context.store.coupons.set(coupon.code, coupon);
    return recordResponse(context, 201, couponRecord(context, coupon));
  },
  'coupon.get'(call) {
    const { context } = call;
    const coupon = ownCoupon(call);
    return recordResponse(context, 200, couponRecord(context, coupon));
  },
  'coupon.revoke'(call) {
    const { context } = call;
    const coupon = ownCoupon(call);
    checkCouponIsActive(coupon, context.clock.now(), 'revoked');
    coupon.revoked_at = timestamp(context);
    if (context.variants.revokeAnswer === 'empty') return new Response(null, { status: 204 });
    return recordResponse(context, 200, couponRecord(context, coupon));
  },
} satisfies Partial<Routes>;

export const couponRouteNotes = {
  'coupon.create': {
    problems: {
      409: 'The code is taken, or the lead already has an active coupon from this access.',
    },
  },
  'coupon.revoke': { problems: { 400: 'The coupon is not active; `detail` says why.' } },
} as const satisfies Readonly<Record<string, RouteNotes>>;

function ownCoupon({
  context,
  access,
  input: { code },
}: RouteCall<{ code: string }>): StoredCoupon {
  const status = Number(context.variants.unknownCoupon);
  return findCoupon(context.store, code, { accessId: access.id, status });
}

/** Codes are unique across all accesses: a path names a coupon by its code alone. */
function refuseTakenCode({ context }: RouteCall<unknown>, code: string | undefined): void {
  if (code === undefined || !context.store.coupons.has(code)) return;
  throw new ProblemResponseError('code-taken', `code ${code} is already taken. Choose another.`);
}

function refuseSecondCoupon({ context, access }: RouteCall<unknown>, leadEmail: string): void {
  const now = context.clock.now();
  for (const coupon of context.store.coupons.values()) {
    if (coupon.accessId !== access.id || couponStatus(coupon, now) !== 'active') continue;
    if (coupon.lead_email.toLowerCase() !== leadEmail.toLowerCase()) continue;
    throw new ProblemResponseError(
      'lead-has-coupon',
      `lead_email ${leadEmail} already has an active coupon from this access. Revoke it first, or wait until it is redeemed or expires.`,
    );
  }
}
