import {
  type WebhookFailureReason,
  WebhookVerificationError,
} from '../errors/webhook-verification-error.ts';

export function refusal(reason: WebhookFailureReason, message: string): WebhookVerificationError {
  return new WebhookVerificationError(reason, message);
}

/** A mistake in the receiver's own code, which no other delivery would mend. */
export function wrongArgument(message: string): WebhookVerificationError {
  return refusal('invalid_argument', message);
}
