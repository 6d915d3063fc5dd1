export type { SubscriptionRecord } from './base/contract.ts';
export { RelayError, type RelayErrorCode } from './base/relay-error.ts';
export type { NewToken } from './base/secrets.ts';
export type { Log } from './operate/watch/log.ts';
export type { RelayOptions } from './options.ts';
export type { Relay } from './relay.ts';
export { createRelay } from './run/create-relay.ts';
