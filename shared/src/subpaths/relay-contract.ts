/** `@screen-advertising/core/relay-contract`: every operation of the relay's API, for the relay. */

export { conflicts } from '../relay/contract/conflicts.ts';
export type { Need, RelayOperation } from '../relay/contract/entry.ts';
export { deliveryStates } from '../relay/contract/input-fields.ts';
export { records } from '../relay/contract/records.ts';
export { type RelayContract, relayContract } from '../relay/contract/relay-operations.ts';
