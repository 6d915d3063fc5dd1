/** `@screen-advertising/core/webhooks`: what receivers need in addition to `verifyWebhook`. */

export {
  formatWebhookId,
  type IgnoredReason,
  ignoredHeaderName,
  ignoredReasons,
  isRelayProblemEventName,
  type RelayProblemEventName,
  type RelayWebhookId,
  readWebhookId,
  relayProblemEventKind,
  webhookIdOfTest,
} from '../webhooks/relay-events.ts';
export {
  createReplayMemory,
  type ReplayMemory,
} from '../webhooks/replay-memory.ts';
export {
  type DeliveryScheme,
  type SignatureAlgorithm,
  type SignatureScheme,
  signatureAlgorithms,
  signedContents,
  signingKeyForms,
} from '../webhooks/scheme.ts';
export { signatureHeaderName } from '../webhooks/signature.ts';
export { defaultToleranceSeconds } from '../webhooks/verify-signature.ts';
export {
  type StandardWebhookOptions,
  verifyStandardWebhook,
} from '../webhooks/verify-standard-webhook.ts';
export { eventKey } from '../webhooks/webhook-event.ts';
