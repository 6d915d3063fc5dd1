export type { EventStream, Forwarded, ForwardQuery, StreamQuery } from './admin/event-stream.ts';
export type { ResetSecrets } from './admin/secrets.ts';
export type { RefusedDelivery, SourceInfo } from './admin/sources.ts';
export type { TokenInfo } from './admin/tokens.ts';
export { createRelay } from './create-relay.ts';
export type { Pruned } from './maintenance/prune.ts';
export type { Log } from './observe/log.ts';
export type { RelayOptions } from './options.ts';
export type {
  DeliveryRecord,
  EventRecord,
  Started,
  SubscriptionRecord,
} from './records/contract-types.ts';
export type { Page } from './records/page.ts';
export type { Relay } from './relay.ts';
export { RelayError, type RelayErrorCode } from './relay-error.ts';
export type { NewToken } from './secrets/new-token.ts';
export type { Resolve } from './targets/guarded-agent.ts';
