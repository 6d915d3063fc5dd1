import { parseEvent } from '@screen-advertising/core';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  defaultLimit,
  type EventRecord,
  type InputOf,
  type Page,
  pageOfRows,
  readCursor,
} from '../base/contract.ts';
import { publicId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { sqlIf } from '../base/statements.ts';
import type { EventTable } from '../base/tables.ts';
import type { RelayContext } from './context.ts';
import { maxListedBody } from './deliveries.ts';
import {
  checkPosition,
  newestPosition,
  positionOf,
  readPosition,
  sqlPositionBefore,
} from './positions.ts';
import { findEventsByPrefix, findEventsByValue } from './search.ts';
import { findWaitingSubscriptions, type WaitingSubscriptions } from './waiting.ts';

type StoredEvent = Pick<
  Selectable<EventTable>,
  'id' | 'position' | 'type' | 'received_at' | 'body'
>;

export interface FoundEvent extends StoredEvent {
  readonly source_number: number;
  /** Name. */
  readonly source: string;
}

/** Beside the API's fields, those that only the operator's page shows. */
export interface EventRow extends Omit<FoundEvent, 'body'> {
  /** Null for a long one, and one that was erased. */
  readonly body: Buffer | null;
  readonly is_erased: boolean;
  /** Deliveries of this event by state; null without any. */
  readonly deliveries: Readonly<Record<string, number>> | null;
  readonly waiting: WaitingSubscriptions;
}

interface EventFilter {
  /** Number. Default: all sources. */
  readonly source?: number | undefined;
  readonly type?: string | undefined;
  /** The ID of an event, or a whole value in its body. */
  readonly search?: string | undefined;
  /** Whether it is the start of a value, looked for in the newest events only. */
  readonly isStart?: boolean;
  /** Milliseconds since 1970: events that arrived at or after `from` and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly leavesOutErased?: true;
  /** Start after this position. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function readEvents(
  { db }: RelayContext,
  filter: EventFilter,
): Promise<readonly FoundEvent[]> {
  const { rows } = await (await newestEvents({ db }, filter)).execute(db);
  return rows;
}

const noneWaiting: WaitingSubscriptions = { active: [], off: [] };

/** Events with the states of their deliveries and who waits for them, without long bodies. */
export async function listEventRows(
  { db }: RelayContext,
  filter: EventFilter,
): Promise<readonly EventRow[]> {
  const { rows } = await sql<Omit<EventRow, 'waiting'>>`
    SELECT page.id, page.position, page.source_number, page.source, page.type, page.received_at,
      CASE WHEN octet_length(page.body) <= ${maxListedBody} THEN page.body END AS body,
      page.body IS NULL AS is_erased, states.deliveries
    FROM (${await newestEvents({ db }, filter)}) AS page
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(counted.state, counted.number) AS deliveries FROM (
        SELECT delivery.state, count(*) AS number FROM delivery
        WHERE delivery.source_number = page.source_number AND delivery.position = page.position
        GROUP BY delivery.state
      ) AS counted
    ) AS states
    ORDER BY page.position DESC`.execute(db);
  const waiting = await findWaitingSubscriptions(db, rows);
  return rows.map((row) => ({ ...row, waiting: waiting.get(row.position) ?? noneWaiting }));
}

/** Reads the newest of each source by index, then merges them. */
async function newestEvents(
  { db }: Pick<RelayContext, 'db'>,
  { source, type, search, isStart, from, to, leavesOutErased, after, limit }: EventFilter,
): Promise<RawBuilder<FoundEvent>> {
  const own = sql.ref('source.number');
  const find = isStart ? findEventsByPrefix : findEventsByValue;
  const found = search === undefined ? [undefined] : await find(db, search, source);
  const parts = found.map(
    (part) => sql<FoundEvent>`
    SELECT newest.*, source.name AS source FROM source CROSS JOIN LATERAL (
      SELECT event.source_number, event.id, event.position, event.type, event.received_at, event.body
      FROM event
      WHERE event.source_number = source.number
        ${sqlIf(type, (is) => sql`AND event.type = ${is}`)}
        ${sqlIf(part?.is, (condition) => sql`AND ${condition}`)}
        ${sqlIf(from, (ms) => sql`AND event.position > ${sqlPositionBefore(own, ms)}`)}
        ${sqlIf(to, (ms) => sql`AND event.position <= ${sqlPositionBefore(own, ms)}`)}
        ${sqlIf(leavesOutErased, () => sql`AND event.body IS NOT NULL`)}
        ${sqlIf(after, (position) => sql`AND event.position < ${position}::bigint`)}
      ORDER BY event.source_number DESC, event.position DESC LIMIT ${limit}
    ) AS newest
    WHERE true
      ${sqlIf(source, (number) => sql`AND source.number = ${number}`)}
      ${sqlIf(part?.sources, (numbers) => sql`AND source.number = ANY (${numbers}::integer[])`)}`,
  );
  return sql<FoundEvent>`
    SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS newest
    ORDER BY newest.position DESC LIMIT ${limit}`;
}

/** A position in a URL or a cursor; undefined for any other text. */
export function readEventPlace(text: string): string | undefined {
  return /^\d{1,18}$/.exec(text)?.[0];
}

/** As the API takes it, with moments in milliseconds since 1970. */
interface EventsInput extends Omit<InputOf<'events.list'>, 'from' | 'to'> {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * A page of the events of a source, or of all, newest first; with how many subscriptions of a token, or of
 * all, wait for each.
 */
export async function listEvents(
  context: RelayContext,
  source: number | undefined,
  { limit = defaultLimit, cursor, ...filter }: EventsInput,
  token?: number,
): Promise<Page<EventRecord>> {
  const after = readCursor(cursor, readEventPlace);
  const rows = await readEvents(context, {
    ...filter,
    source,
    after,
    leavesOutErased: true,
    limit: limit + 1,
  });
  const waiting = await findWaitingSubscriptions(context.db, rows.slice(0, limit), token);
  const record = (row: StoredEvent) => eventRecordWithWaiting(row, waiting);
  return pageOfRows(rows, limit, record, (row) => row.position);
}

export function eventRecordWithWaiting(
  event: StoredEvent,
  waiting: ReadonlyMap<string, WaitingSubscriptions>,
): EventRecord {
  const { active = [] } = waiting.get(event.position) ?? {};
  return { ...eventRecord(event), waiting: active.length };
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

/** The position after every stored event. */
export const afterNewestEvent = 'newest';

interface EventsAfter extends Page<EventRecord> {
  readonly pagination: Page<EventRecord>['pagination'] & { readonly position: string };
}

/** Events of other types in between may be many more than those of the type. */
const maxRead = 2_000;

/** An event that was not erased. */
export interface UnerasedEvent extends StoredEvent {
  readonly body: Buffer;
}

/** Events after a position, in the order of commits. */
interface Following {
  readonly events: readonly UnerasedEvent[];
  /** Where the next ones start. */
  readonly position: string;
  readonly hasMore: boolean;
}

/**
 * A page of the events of a source after a position, in the order of commits, which no clock
 * changes. A page may have fewer events than the limit, and still be followed by others.
 */
export async function listEventsAfter(
  context: RelayContext,
  source: number | undefined,
  { limit = defaultLimit, cursor, type, search, from, to, after = '' }: EventsInput,
): Promise<EventsAfter> {
  if (source === undefined) {
    throw new RelayError('invalid_parameter', 'after: a position belongs to a source. Choose one.');
  }
  if ([from, to, search].some((filter) => filter !== undefined)) {
    throw new RelayError('invalid_parameter', 'after: leave out from, to and search.');
  }
  const name = cursor === undefined ? 'after' : 'cursor';
  const start = cursor ?? after;
  const following = await readEventsAfter(context, source, { limit, type, start, name });
  const { events, position, hasMore } = following;
  return {
    data: events.map(eventRecord),
    pagination: { cursor: hasMore ? position : null, has_more: hasMore, position },
  };
}

interface Reading {
  readonly limit: number;
  readonly type: string | undefined;
  /** A position, or `newest`. */
  readonly start: string;
  /** The parameter that has it, for the error. */
  readonly name: string;
}

export async function readEventsAfter(
  { db }: RelayContext,
  source: number,
  { limit, type, start, name }: Reading,
): Promise<Following> {
  if (start === afterNewestEvent) return followingTo(await newestPosition(db, source), [], false);
  const position = readPosition(start);
  if (position === undefined) {
    throw new RelayError(
      'invalid_parameter',
      `${name} must be a position from the relay, unchanged, or ${afterNewestEvent}.`,
    );
  }
  const most = type === undefined ? limit : maxRead;
  const isListed = sql`body IS NOT NULL ${sqlIf(type, (is) => sql`AND type = ${is}`)}`;
  const { rows } = await sql<StoredEvent>`
    SELECT id, position, type, received_at,
      CASE WHEN ${isListed} AND nth <= ${limit} THEN body END AS body
    FROM (
      SELECT *, count(*) FILTER (WHERE ${isListed}) OVER (ORDER BY position) AS nth
      FROM (
        SELECT * FROM event
        WHERE source_number = ${source} AND position > ${position.number}
        ORDER BY position LIMIT ${most + 1}
      ) AS following
    ) AS numbered
    ORDER BY position`.execute(db);
  // Afterwards: what was pruned before the rows were read must not go unnoticed.
  await checkPosition(db, source, position, type);
  const wanted = rows.flatMap((row, index) => (row.body === null ? [] : index));
  const end = Math.min(wanted[limit - 1] ?? rows.length, most - 1) + 1;
  const read = rows.slice(0, end);
  const last = read.at(-1);
  return followingTo(last ? positionOf(last) : start, read, rows.length > end);
}

function followingTo(position: string, rows: readonly StoredEvent[], hasMore: boolean): Following {
  const events = rows.flatMap(({ body, ...event }) => (body ? { ...event, body } : []));
  return { events, position, hasMore };
}
