import type { CallPromise } from '../client/call-promise.ts';
import type { CallOptions } from '../client/run.ts';

/** Whether a user exists, and whether you referred them. */
export interface UsersApi {
  /**
   * Looks up whether a user exists, by email address or VAT number, and whether you referred them.
   * Section 4.8; scope `users:read`.
   */
  lookup(params: UserLookupParams, options?: CallOptions): CallPromise<UserLookupResult>;
}

/** What Look Up User takes. */
export interface UserLookupParams {
  /** Email address of the user. Set this or VAT Number, not both. */
  email?: string | undefined;
  /** The user's or company's VAT number. Set this or Email, not both. */
  vat_uid?: string | undefined;
}

/**
 * The result of a user lookup, as the service sends it. `allFields` also shows fields that are not listed here.
 */
export interface UserLookupResult {
  /** False for an unknown user, and then the only field. */
  exists?: boolean | null | undefined;
  /** ID of the user. */
  user_id?: string | null | undefined;
  /** When the user registered. */
  registered_at?: string | null | undefined;
  /** Whether the user has bookings. */
  has_bookings?: boolean | null | undefined;
  /** Only present if you referred the user. */
  attribution?: Record<string, unknown> | null | undefined;
}
