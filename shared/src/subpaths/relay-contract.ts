/** `@screen-advertising/core/relay-contract`: every operation of the relay's API, for the relay. */

export { deliveryStates } from '../relay/contract/contract-fields.ts';
export type { RelayOperation, RightsNeed } from '../relay/contract/entry.ts';
export { conflictReasons } from '../relay/contract/entry.ts';
export { relayRecordSchemas } from '../relay/contract/records.ts';
export { type RelayContract, relayContract } from '../relay/contract/relay-operations.ts';
