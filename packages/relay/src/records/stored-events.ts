import { parseEvent } from '@screen-advertising/core';
import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import type { EventTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';
import { positionOf } from './event-position.ts';
import { foundBy } from './event-search.ts';
import type { eventQuery } from './input-schemas.ts';
import { type Page, pageOf, readCursor } from './page.ts';

/** An event as the API shows it. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly received_at: string;
  /** Pass it as `after` to list later events. */
  readonly position: string;
  /** The event's data, without the envelope. */
  readonly data: unknown;
  /** The whole body, as the service sent it. */
  readonly payload: unknown;
}

const position = /^(\d{1,18})$/;

/** A page of the events of a source, newest first. */
export async function listEvents(
  { db }: RelayContext,
  source: number,
  { limit, cursor, type, search, from, to }: z.output<typeof eventQuery>,
): Promise<Page<EventRecord>> {
  let query = db
    .selectFrom('event')
    .select(['id', 'position', 'type', 'received_at', 'body'])
    .where('source_number', '=', source)
    .orderBy('source_number', 'desc')
    .orderBy('position', 'desc')
    .limit(limit + 1);
  if (type !== undefined) query = query.where('type', '=', type).orderBy('type');
  if (search !== undefined) query = query.where(await foundBy(db, search));
  if (from !== undefined) query = query.where('received_at', '>=', new Date(from));
  if (to !== undefined) query = query.where('received_at', '<', new Date(to));
  if (cursor !== undefined) query = query.where('position', '<', readCursor(cursor, position)[0]);
  return pageOf(await query.execute(), limit, eventRecord, (row) => row.position);
}

export type StoredEvent = Pick<
  Selectable<EventTable>,
  'id' | 'position' | 'type' | 'received_at' | 'body'
>;

export function eventRecord(event: StoredEvent): EventRecord {
  const { data, payload } = parseEvent(event.body);
  return {
    id: publicId('evt', event.id),
    type: event.type,
    received_at: event.received_at.toISOString(),
    position: positionOf(event),
    data,
    payload,
  };
}
