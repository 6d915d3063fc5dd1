/** `@screen-advertising/core/relay-contract`: every operation of the relay's API, for the relay. */

export { deliveryStates } from '../relay/contract/contract-fields.ts';
export type { Need, RelayOperation } from '../relay/contract/entry.ts';
export { conflicts } from '../relay/contract/entry.ts';
export { records } from '../relay/contract/records.ts';
export { type RelayContract, relayContract } from '../relay/contract/relay-operations.ts';
