/** `@screen-advertising/core/webhooks`: what receivers need in addition to `verifyWebhook`. */
export type { SignatureAlgorithm, SignatureScheme } from '../webhooks/digest.ts';
export { eventKey } from '../webhooks/event-key.ts';
export {
  createReplayMemory,
  type ReplayMemory,
} from '../webhooks/replay-memory.ts';
export { signatureHeaderName } from '../webhooks/signature-header.ts';
export { defaultToleranceSeconds } from '../webhooks/tolerance.ts';
