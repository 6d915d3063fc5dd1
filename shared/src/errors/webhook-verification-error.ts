import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/**
 * Why a delivery was refused:
 * - `missing_signature`: the header is missing.
 * - `malformed_signature`: the header is not `t=<digits>,v1=<hex>`, or is too long.
 * - `timestamp_out_of_tolerance`: signed too long ago, or too far in the future.
 * - `signature_mismatch`: none of the secrets signed this body.
 * - `malformed_body`: correctly signed, but not a JSON object; or too large to be an event.
 * - `invalid_argument`: a mistake in the receiver's code, such as no secret or a body already
 *   parsed.
 */
export type WebhookFailureReason =
  | 'missing_signature'
  | 'malformed_signature'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'malformed_body'
  | 'invalid_argument';

/** A delivery that must not be trusted. */
export class WebhookVerificationError extends ScreenAdvertisingError {
  static override readonly errorName = 'WebhookVerificationError';
  static override readonly isInstance: IsInstance<WebhookVerificationError> = isInstanceOf(
    'WebhookVerificationError',
  );
  /** Why the delivery was refused, as a word to compare. */
  declare readonly reason: WebhookFailureReason;

  constructor(reason: WebhookFailureReason, message: string) {
    super('webhook_verification_failed', message);
    this.reason = reason;
  }
}
