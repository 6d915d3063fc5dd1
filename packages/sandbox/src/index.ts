export type { ListenOptions } from '@screen-advertising/server-kit';
export type { PartnerAccess, PartnerAccesses } from './access/access.ts';
export type { RateLimitOptions } from './access/limits.ts';
export { createSandbox } from './create-sandbox.ts';
export type { ActiveFault, FaultRule } from './faults/faults.ts';
export { ProblemResponseError } from './http/problem-response-error.ts';
export type { SandboxOptions } from './options.ts';
export type { Sandbox } from './sandbox.ts';
export type { JournalEntry } from './service/journal.ts';
export type { CampaignRequestFields, ScreenFields, UserFields } from './state/records.ts';
export type { SandboxClock } from './state/sandbox-clock.ts';
export type {
  Delivery,
  DeliveryAttempt,
  Snapshot,
  StoredCampaignRequest,
  StoredCoupon,
  StoredScreen,
  StoredUser,
  WebhookRegistration,
} from './state/stored-records.ts';
export type { FireOptions } from './webhooks/fire.ts';
export type { WebhookAddress } from './webhooks/webhooks.ts';
