/** `@screen-advertising/core/relay`: a client of the relay, and its connector key. */

export type {
  RelayAccess,
  RelayEvent,
  RelayEventPage,
  RelaySubscription,
} from '../relay/contract/record-types.ts';
export { listRelayEvents } from '../relay/list-relay-events.ts';
export {
  type ConnectorKey,
  parseConnectorKey,
  readRelayAccess,
  relayVariables,
} from '../relay/relay-access.ts';
export {
  createRelayClient,
  type RelayClient,
  type RelayClientOptions,
  type RelayEventsInput,
} from '../relay/relay-client.ts';
