import { parseEvent } from '@screen-advertising/core';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import { publicId } from '../database/uuid.ts';
import { positionOf } from './event-position.ts';
import { findEvents, readEventPlace, type StoredEvent } from './event-rows.ts';
import type { eventQuery } from './input-schemas.ts';
import { type Page, pageOf, readCursor } from './page.ts';
import type { EventRecord } from './response-schemas.ts';

/** A page of the events of a source, or of all, newest first. */
export async function listEvents(
  context: RelayContext,
  source: number | undefined,
  { limit, cursor, ...filter }: z.output<typeof eventQuery>,
): Promise<Page<EventRecord>> {
  const after = readCursor(cursor, readEventPlace);
  const rows = await findEvents(context, {
    ...filter,
    source,
    after,
    leavesOutErased: true,
    limit: limit + 1,
  });
  return pageOf(rows, limit, eventRecord, (row) => row.position);
}

export function eventRecord(event: StoredEvent): EventRecord {
  const { data, payload } = event.body ? parseEvent(event.body) : { data: null, payload: null };
  return {
    id: publicId('evt', event.id),
    type: event.type,
    received_at: event.received_at.toISOString(),
    position: positionOf(event),
    data,
    payload,
    is_erased: event.body === null,
  };
}
