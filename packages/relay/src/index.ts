export type { SubscriptionRecord } from './log/contract-types.ts';
export type { NewToken } from './log/secrets/new-token.ts';
export type { Log } from './operate/watch/log.ts';
export type { RelayOptions } from './options.ts';
export type { Relay } from './relay.ts';
export { RelayError, type RelayErrorCode } from './relay-error.ts';
export { createRelay } from './run/create-relay.ts';
