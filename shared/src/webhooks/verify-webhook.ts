import { parseEvent, type WebhookEvent } from './parse-event.ts';
import { type VerifySignatureOptions, verifySignature } from './verify-signature.ts';

/** Checks the signature, then reads the event. Throws WebhookVerificationError. */
export function verifyWebhook(options: VerifySignatureOptions): WebhookEvent {
  verifySignature(options);
  return parseEvent(options.body);
}
