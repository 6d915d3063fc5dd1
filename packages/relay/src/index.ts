export type { SourceInfo } from './admin/sources.ts';
export type { TokenInfo } from './admin/tokens.ts';
export type { RelayClock } from './clock/relay-clock.ts';
export { createRelay } from './create-relay.ts';
export type { RelayOptions } from './options.ts';
export type { Relay } from './relay.ts';
export { RelayError, type RelayErrorCode } from './relay-error.ts';
export type { NewToken } from './secrets/new-token.ts';
