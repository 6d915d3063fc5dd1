import { parseEvent } from '@screen-advertising/core';
import { visibleText } from '@screen-advertising/core/platform';

export { badge, copyable, facts, moment } from '@screen-advertising/page-kit';
export { reasonText } from '../../records/reason-text.ts';

/** A name as people read it: without the tag by which n8n's trigger finds its own subscriptions. */
export function shownName(name: string | null): string | null {
  return name && visibleText(name).replace(/ \((n8n(?:, test)?) [0-9a-f]{16}\)$/, ' ($1)');
}

/** The ID that the service gave the event; undefined without one, or for a body that was not read. */
export function payloadId(body: Uint8Array | null): string | undefined {
  return body === null ? undefined : parseEvent(body).id;
}
