/** `@screen-advertising/core/relay-contract`: every operation of the relay's API, for the relay. */

export type { Need, RelayOperation } from '../relay/contract/entry.ts';
export { conflicts } from '../relay/contract/entry.ts';
export { deliveryStates } from '../relay/contract/contract-fields.ts';
export { type RelayContract, relayContract } from '../relay/contract/operations.ts';
export { records } from '../relay/contract/records.ts';
