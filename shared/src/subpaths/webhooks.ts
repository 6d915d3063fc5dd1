/** `@screen-advertising/core/webhooks`: what receivers need in addition to `verifyWebhook`. */

export { eventKey } from '../webhooks/event-key.ts';
export { isRelayProblem, type RelayProblemName, relayProblem } from '../webhooks/relay-problem.ts';
export { probeType, readWebhookId, testWebhookId } from '../webhooks/relay-request.ts';
export {
  createReplayMemory,
  type ReplayMemory,
} from '../webhooks/replay-memory.ts';
export { signatureHeaderName } from '../webhooks/signature-header.ts';
export type { SignatureAlgorithm, SignatureScheme } from '../webhooks/signature-scheme.ts';
export { defaultToleranceSeconds } from '../webhooks/verify-signature.ts';
export {
  type StandardWebhookOptions,
  verifyStandardWebhook,
} from '../webhooks/verify-standard-webhook.ts';
