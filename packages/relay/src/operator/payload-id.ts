import { parseEvent } from '@screen-advertising/core';

/** Lists read no larger bodies, because a page shows 50 events. */
export const longestListedBody = 65_536;

/** The ID that the service gave the event; undefined without one, or for a body that was not read. */
export function payloadId(body: Uint8Array | null): string | undefined {
  return body === null ? undefined : parseEvent(body).id;
}
