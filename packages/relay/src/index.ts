export type { SubscriptionRecord } from './base/contract.ts';
export { RelayError, type RelayErrorCode } from './base/relay-error.ts';
export type { NewToken } from './base/secrets.ts';
export type { Log } from './operate/log.ts';
export { createRelay } from './run/create-relay.ts';
export type { Relay, RelayOptions } from './run/relay.ts';
