import { listRelayEvents, type RelayClient } from '@screen-advertising/core/relay';
import { listTool } from './list-tool.ts';
import type { Tool } from './tool.ts';

/** A tool that lists the events a relay has stored. */
export function relayTool(relay: RelayClient): Tool {
  return listTool(listRelayEvents, async (input, options) => {
    const { data, pagination } = await relay.listEvents(input, options);
    // The payload holds the same fields inside its envelope.
    return { data: data.map(({ payload, ...event }) => event), pagination };
  });
}
