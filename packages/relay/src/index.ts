export type {
  DeliveryRecord,
  EventRecord,
  Started,
  SubscriptionRecord,
} from './log/contract-types.ts';
export type { Page } from './log/page.ts';
export type { Pruned } from './log/prune.ts';
export type { NewToken } from './log/secrets/new-token.ts';
export type { EventStream, Forwarded, ForwardQuery, StreamQuery } from './operate/event-stream.ts';
export type { ResetSecrets } from './operate/secrets.ts';
export type { RefusedDelivery, SourceInfo } from './operate/sources.ts';
export type { TokenInfo } from './operate/tokens.ts';
export type { Log } from './operate/watch/log.ts';
export type { RelayOptions } from './options.ts';
export type { Relay } from './relay.ts';
export { RelayError, type RelayErrorCode } from './relay-error.ts';
export { createRelay } from './run/create-relay.ts';
export type { Resolve } from './subscribe/targets/guarded-agent.ts';
