import type { UnknownValue } from '../catalogue/field-types.ts';
import type { CallPromise } from '../client/call-promise.ts';
import type { CallOptions } from '../client/run.ts';

/** Discount coupons, each tied to one lead. */
export interface CouponsApi {
  /** Creates a discount coupon for a lead. Section 4.5; scope `coupons:write`. */
  create(params: CouponCreateParams, options?: CallOptions): CallPromise<Coupon>;
  /** Gets a coupon by its code. Section 4.6; scope `coupons:read` or `coupons:write`. */
  get(params: CouponGetParams, options?: CallOptions): CallPromise<Coupon>;
  /** Revokes a coupon that is active and not yet redeemed. Section 4.7; scope `coupons:write`. */
  revoke(params: CouponRevokeParams, options?: CallOptions): CallPromise<Coupon>;
}

/** What Create Coupon takes. */
export interface CouponCreateParams {
  /** How the discount is measured. */
  discount_type: 'percent' | 'amount_cents' | 'free_days';
  /**
   * The size of the discount, greater than 0. Percent: at most 100. Cents and days: whole numbers.
   */
  discount_value: number;
  /** Email address of the lead. A lead can have only one active coupon from you at a time. */
  lead_email: string;
  /**
   * Your own code for the coupon, which makes retries safe. Default: the service generates one in
   * the pattern BVCC-XXXX.
   */
  code?: string | undefined;
  /** How many times the coupon can be redeemed, 1 to 1000. Default: 1. */
  max_redemptions?: number | undefined;
  /**
   * When the coupon expires: a date such as 2027-03-31 or a timestamp such as 2027-03-31T23:59:59Z.
   */
  valid_until?: string | undefined;
  /** Anything you want to keep with the coupon, as JSON, such as a campaign name or a CRM ID. */
  lead_metadata?: unknown;
}

/** What Get Coupon takes. */
export interface CouponGetParams {
  /** The code of the coupon. */
  code: string;
}

/** What Revoke Coupon takes. */
export interface CouponRevokeParams {
  /** The code of the coupon. */
  code: string;
}

/** A coupon as the service sends it. `allFields` also shows fields that are not listed here. */
export interface Coupon {
  /** Code of the coupon. */
  code?: string | null | undefined;
  /** State of the coupon, in the words of the service. */
  status?: string | null | undefined;
  /** How the discount is measured. */
  discount_type?: 'percent' | 'amount_cents' | 'free_days' | UnknownValue | null | undefined;
  /** Size of the discount. */
  discount_value?: number | null | undefined;
  /** Email address of the lead. */
  lead_email?: string | null | undefined;
  /** How many times the coupon can be redeemed. */
  max_redemptions?: number | null | undefined;
  /** When the coupon expires. */
  valid_until?: string | null | undefined;
  /** What you keep with the coupon. */
  lead_metadata?: unknown;
}
