import {
  createRelayClient,
  type RelayClient,
  type RelayClientOptions,
} from '@screen-advertising/core/relay';
import { makeToken } from '../../../packages/relay/src/base/secrets.ts';
import type { Bench } from '../support/bench.ts';

export const { token, signingSecret, connectorKey } = makeToken();

/** A client of a scripted relay. */
export function relayClient(
  { service, transport }: Bench,
  options: Partial<RelayClientOptions> = {},
): RelayClient {
  return createRelayClient({ baseUrl: service.origin, connectorKey, transport, ...options });
}
