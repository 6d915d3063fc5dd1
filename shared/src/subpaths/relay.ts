/** `@screen-advertising/core/relay`: a client of the relay, and its connector key. */
export { type ConnectorKey, parseConnectorKey } from '../relay/connector-key.ts';
export { listRelayEvents } from '../relay/list-relay-events.ts';
export type { RelayAccess, RelayEvent, RelaySubscription } from '../relay/records.ts';
export {
  createRelayClient,
  type RelayClient,
  type RelayClientOptions,
  type RelayEventsInput,
} from '../relay/relay-client.ts';
export { readRelayAccess, relayVariables } from '../relay/relay-from-environment.ts';
