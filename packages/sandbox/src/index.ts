export type { ListenOptions } from '@screen-advertising/server-kit';
export type { Accesses, PartnerAccess } from './accesses/access.ts';
export type { SandboxClock } from './clock/sandbox-clock.ts';
export { createSandbox } from './create-sandbox.ts';
export type { FaultRule } from './faults/fault-rule.ts';
export type { ActiveFault } from './faults/faults.ts';
export type { JournalEntry } from './journal/journal.ts';
export type { RateLimitOptions } from './limits/limits.ts';
export type { SandboxOptions } from './options.ts';
export { ProblemResponseError } from './problems/problem-response-error.ts';
export type { FireOptions } from './records/fire.ts';
export type { CampaignRequestFields, ScreenFields, UserFields } from './records/records.ts';
export type { Sandbox } from './sandbox.ts';
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
export type { WebhookAddress } from './webhooks/webhooks.ts';
