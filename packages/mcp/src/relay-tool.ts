import { listRelayEvents, type RelayClient } from '@screen-advertising/core/relay';
import { listTool } from './list-tool.ts';
import type { Tool } from './tool.ts';

/** A tool for the events that a relay stored. */
export function relayTool(relay: RelayClient): Tool {
  return listTool(listRelayEvents, async (input, options) => {
    const { data, pagination } = await relay.listEvents(input, options);
    // The payload holds the same once more, in its envelope.
    return { data: data.map(({ payload, ...event }) => event), pagination };
  });
}
