import { createHash, randomUUID } from 'node:crypto';
import {
  type CallOptions,
  type Client,
  InputError,
  type Operation,
  operations,
  type Page,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import {
  type CatalogueEntry,
  compoundOperations,
  findAvailableScreens,
  findNearbyScreens,
  nearbyRecords,
  type PassedOverScreens,
  reasonsForFewScreens,
  searchNotes,
} from '@screen-advertising/core/availability';
import {
  explainEmptyResult,
  type ReadField,
  readArguments,
  recordFields,
} from '@screen-advertising/core/forms';
import { nextCursor } from '@screen-advertising/core/platform';
import { listRelayEvents, type RelayClient } from '@screen-advertising/core/relay';
import {
  callOptionsOf,
  errorInToolWords,
  inputSchema,
  type Tool,
  type ToolArguments,
  type ToolCall,
  toolName,
} from './tool.ts';

/** A part of a list, as its source has it. */
interface Part {
  readonly data: readonly ToolArguments[];
  /** Leads to the next part: a cursor of the service. */
  readonly next?: string | undefined;
  /** Leads to this part again, in place of what led to it: the name of a kept result. */
  readonly self?: string;
  readonly pagination?: Page<unknown>['pagination'];
  readonly note?: string;
}

interface List {
  /** The tool's title and description, and the fields that filter. */
  readonly entry: CatalogueEntry;
  /** The columns, unless the caller names others. */
  readonly columns: readonly string[];
  /** Inputs that the entry requires and the tool does not. */
  readonly optional?: readonly string[];
  readonly read: (input: ToolArguments, place: string | undefined, call: ToolCall) => Promise<Part>;
  readonly whyEmpty?: (input: ToolArguments, call: ToolCall) => Promise<string | undefined>;
}

const { 'screen.findNearby': nearby, 'screen.findAvailable': available } = compoundOperations;
const { 'screen.list': screens, 'campaignRequest.list': campaignRequests } = operations;

/** The tools that return rows. */
export function listTools(client: Client, { requests }: { readonly requests: number }): Tool[] {
  const explain =
    (entry: CatalogueEntry): NonNullable<List['whyEmpty']> =>
    (input, call) =>
      explainEmptyResult(client, entry, input, callOptionsOf(call));
  const pagesOf =
    (operation: Operation): List['read'] =>
    async (filters, cursor, call) => {
      // Always the same size, so that an offset within a page stays true.
      const input = {
        ...filters,
        cursor,
        ...(operation.largestPage && { limit: operation.largestPage }),
      };
      const page = (await client.call(
        operation,
        input,
        callOptionsOf(call),
      )) as Page<ToolArguments>;
      return { ...page, next: nextCursor(page.pagination) };
    };
  const listed = pagesOf(screens);
  const near = kept(async (input, call) => {
    const { near: place, radius_km } = input;
    if (place === undefined) {
      const why = radius_km === undefined ? 'sort_by' : 'radius_km';
      throw new InputError(screens.title, [{ field: 'near', message: `is required with ${why}` }]);
    }
    const found = await findNearbyScreens(client, input as never, callOptionsOf(call));
    return { ...found, screens: nearbyRecords(found.screens) };
  });
  return [
    listTool({
      entry: {
        ...nearby,
        title: screens.title,
        description: 'Lists screens with their price per day, or with near, those around a place.',
      },
      columns: ['screen_id', 'name', 'city', 'venue_type', 'price_per_day_cents', 'distance_km'],
      optional: ['near'],
      async read(input, place, call) {
        const { near: around, radius_km, sort_by } = input;
        const isSearch = (around ?? radius_km ?? sort_by) !== undefined;
        const part = await (isSearch ? near : listed)(input, place, call);
        return { ...part, data: part.data.map(screenRow) };
      },
      whyEmpty: explain(screens),
    }),
    listTool({
      entry: available,
      columns: [
        ...['screen_id', 'name', 'city', 'venue_type', 'available_sov_pct', 'total_price_cents'],
        'distance_km',
      ],
      read: kept(async (input, call) => {
        const reading = readingOf(client, call);
        const { screens: found, ...rest } = await findAvailableScreens(
          reading.client,
          input as never,
          {
            signal: call.signal,
            until: reading.until,
            deadlineMs: call.left(),
            maxScreens: Math.max(1, Math.floor(requests * readPart)),
          },
        );
        return {
          ...rest,
          note: rest.isWhole ? undefined : reading.whyNotWhole(),
          screens: found.map(({ screen, ...one }) => screenRow({ ...screen, ...one })),
        };
      }),
      whyEmpty: explain(available),
    }),
    listTool({
      entry: campaignRequests,
      columns: ['id', 'status', 'industry'],
      read: pagesOf(campaignRequests),
      whyEmpty: explain(campaignRequests),
    }),
  ];
}

/** A tool that lists the events a relay has stored. */
export function relayEventsTool(relay: RelayClient): Tool {
  return listTool({
    entry: listRelayEvents,
    columns: ['id', 'type', 'received_at', 'data'],
    async read({ from, to, ...others }, cursor, call) {
      const period = { ...momentOf('from', from, 0), ...momentOf('to', to, 1) };
      const input = { ...others, ...period };
      const { data, pagination } = await relay.listEvents(
        { ...input, ...(cursor !== undefined && { cursor }) },
        callOptionsOf(call),
      );
      return {
        // The payload holds the same fields inside its envelope, and lists leave out erased events.
        data: data.map(({ payload, is_erased, ...event }) => event),
        pagination,
        next: nextCursor(pagination),
      };
    },
  });
}

/** A relay takes moments, of which `to` is not included. A day is whole, as everywhere. */
function momentOf(name: string, value: unknown, days: number): ToolArguments {
  if (value === undefined) return {};
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const start = isDay ? Date.parse(value) + days * dayMs : Number.NaN;
  return { [name]: Number.isNaN(start) ? value : new Date(start).toISOString() };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Reading this part of the requests per minute leaves some to other calls: 500 of 600. */
const readPart = 5 / 6;

/** The screen's ID under the name that the tools take. */
function screenRow({ id, screen_id = id, ...fields }: ToolArguments): ToolArguments {
  return { screen_id, ...fields };
}

/**
 * A client for a search of many requests: it reports how many screens were read, and ends the search
 * with them when there is no more time. That is also when the rate limit allows no request in time.
 */
function readingOf(client: Client, { ending, left, report }: ToolCall) {
  let count = 0;
  const refused = new AbortController();
  const until = AbortSignal.any([ending, refused.signal]);
  const endIfLimited = (error: unknown) => {
    if (isRateLimited(error)) refused.abort(error);
  };
  const call = (operation: Operation, input: never, options?: CallOptions) => {
    const pending = client.call(operation, input, { ...options, deadlineMs: left() });
    pending.then(() => {
      count += 1;
      report(count, `${count} screens read`);
    }, endIfLimited);
    return pending;
  };
  async function* items(operation: Operation, input?: never, options?: CallOptions) {
    try {
      yield* client.items(operation, input, { ...options, deadlineMs: left() });
    } catch (error) {
      endIfLimited(error);
      throw error;
    }
  }
  const whyNotWhole = () => {
    const why = isRateLimited(until.reason) ? until.reason.message : 'The time was over.';
    return `Only ${count} screens were read. ${why} Others may fit as well: narrow the search by city, country or radius_km, or search again later.`;
  };
  const reading = { ...client, call: call as Client['call'], items: items as Client['items'] };
  return { client: reading, until, whyNotWhole };
}

function isRateLimited(error: unknown): error is ScreenAdvertisingError {
  return ScreenAdvertisingError.isInstance(error) && error.code === 'rate_limited';
}

type Search = (
  input: ToolArguments,
  call: ToolCall,
) => Promise<
  Parameters<typeof searchNotes>[0] & {
    readonly screens: readonly object[];
    readonly passedOver: PassedOverScreens;
    /** Why not every screen was read. */
    readonly note?: string | undefined;
  }
>;

const maxResults = 50;

/** Keeps the results of a search for a while, so that a cursor continues the same one. */
function kept(search: Search): List['read'] {
  const results = new Map<string, Part>();
  return async (input, place, call) => {
    const self = place ?? randomUUID();
    if (place === undefined) {
      const found = await search(input, call);
      const notes = [found.note, ...searchNotes(found), ...reasonsForFewScreens(found.passedOver)];
      const note = notes.filter(Boolean).join(' ');
      const pagination = found.note ? {} : { total_count: found.screens.length };
      const data = found.screens as readonly ToolArguments[];
      results.set(self, { data, pagination, self, ...(note && { note }) });
      const [oldest = self] = results.keys();
      if (results.size > maxResults) results.delete(oldest);
    }
    const part = results.get(self);
    if (part) return part;
    throw invalidCursor('is no longer kept: leave it out to search again');
  };
}

/** About 6,000 tokens of rows: a client shows a result of this size without cutting it. */
const maxCharacters = 20_000;
/** A list of many short pages ends a result as well. */
const maxParts = 20;
/** With less time than this, what was read is returned. */
const enoughMs = 15_000;

interface Rows extends ToolArguments {
  readonly limit?: number;
  readonly fields?: readonly string[];
}

/** A tool that reads a list, and returns it in results of limited size. */
function listTool(list: List): Tool {
  const { entry, columns } = list;
  const { title, description } = entry;
  const name = toolName(title);
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(list),
    outputSchema: resultSchema,
    annotations: { readOnlyHint: true },
    async run({ cursor, ...given }, call) {
      try {
        const read = readArguments(entry, given, { more: ofLists });
        const { limit: most = Number.POSITIVE_INFINITY, fields: wanted, ...input } = read as Rows;
        const key = keyOf(name, input);
        const place = readCursor(cursor, key);
        const size = { most, pick: (record: ToolArguments) => picked(record, wanted ?? columns) };
        const { rows, next, pagination, notes } = await readRows(list, input, place, size, call);
        if (rows.length === 0 && cursor === undefined && ![...notes].some(Boolean)) {
          notes.add(await list.whyEmpty?.(input, call));
        }
        const shown = columnsOf(rows, wanted ?? columns);
        const unknown = wanted?.filter((one) => one !== 'all' && !shown.includes(one)) ?? [];
        if (rows.length > 0 && unknown.length > 0) {
          notes.add(`No row has ${unknown.join(', ')}: see fields.`);
        }
        const note = [...notes].filter(Boolean).join(' ');
        return {
          columns: shown,
          rows: rows.map((row) => shown.map((column) => row[column] ?? null)),
          total_count: pagination.total_count,
          has_more: next !== undefined || pagination.has_more === true,
          ...(next && { cursor: `${key}.${next.start}.${next.part ?? ''}` }),
          ...(note && { note }),
        };
      } catch (error) {
        throw errorInToolWords(error, title);
      }
    },
  };
}

/** Where a list continues: an offset within the part that `part` leads to. */
interface Place {
  readonly start: number;
  readonly part: string | undefined;
}

interface Size {
  readonly most: number;
  /** The part of a record that a result shows. */
  readonly pick: (record: ToolArguments) => ToolArguments;
}

/** Reads parts until the result is full, the list or its time ends, or a part cannot be read. */
async function readRows(
  { read }: List,
  input: ToolArguments,
  { start, part: first }: Place,
  { most, pick }: Size,
  call: ToolCall,
) {
  const rows: ToolArguments[] = [];
  const notes = new Set<string | undefined>();
  let place: Place | undefined = { start, part: first };
  let pagination: Part['pagination'] = {};
  let characters = 0;
  for (let parts = 0; place && parts < maxParts && rows.length < most; parts += 1) {
    if (rows.length > 0 && call.left() < enoughMs) break;
    const { start: from, part }: Place = place;
    let found: Part;
    try {
      found = await read(input, part, call);
    } catch (error) {
      if (rows.length === 0 || !ScreenAdvertisingError.isInstance(error)) throw error;
      notes.add(`More rows could not be read yet: ${error.message}`);
      break;
    }
    notes.add(found.note);
    pagination = found.pagination ?? {};
    place = found.next === undefined ? undefined : { start: 0, part: found.next };
    for (const [index, record] of found.data.slice(from).entries()) {
      const row = pick(record);
      characters += JSON.stringify(Object.values(row)).length;
      if (rows.length > 0 && (rows.length === most || characters > maxCharacters)) {
        place = { start: from + index, part: found.self ?? part };
        return { rows, next: place, pagination, notes };
      }
      rows.push(row);
    }
    call.report(rows.length, `${rows.length} rows read`);
  }
  return { rows, next: place, pagination, notes };
}

/** Only the columns; `all` is every field. */
function picked(record: ToolArguments, columns: readonly string[]): ToolArguments {
  if (columns.includes('all')) return record;
  return Object.fromEntries(
    columns.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]),
  );
}

/** Without those that no row has, such as a distance without a place. */
function columnsOf(rows: readonly ToolArguments[], columns: readonly string[]): string[] {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  return columns.includes('all') ? [...present] : columns.filter((name) => present.has(name));
}

const resultSchema = {
  type: 'object',
  properties: {
    columns: { type: 'array', items: { type: 'string' } },
    rows: { type: 'array', items: { type: 'array' } },
    total_count: {},
    has_more: { type: 'boolean' },
    cursor: { type: 'string' },
    note: { type: 'string' },
  },
  required: ['columns', 'rows', 'has_more'],
};

function schemaOf({ entry, columns, optional = [] }: List): Tool['inputSchema'] {
  const { properties, required, ...schema } = inputSchema(entry);
  const { limit: _limit, cursor: _cursor, ...filters } = properties as ToolArguments;
  const needed = (required as string[] | undefined)?.filter((name) => !optional.includes(name));
  const others = recordFields(entry).map(({ name }) => (name === 'id' ? columns[0] : name));
  const more = others.filter((name) => name && name !== 'screen' && !columns.includes(name));
  return {
    ...schema,
    properties: {
      ...filters,
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: `Columns. Default: ${columns.join(', ')}. Others: ${[...more, 'all'].join(', ')}.`,
      },
      limit: { type: 'integer', minimum: 1, description: 'At most this many rows.' },
      cursor: {
        type: 'string',
        description: 'Continues a result with the same arguments.',
      },
    },
    ...(needed?.length && { required: needed }),
  };
}

/** Arguments of every list, in addition to its filters. */
const ofLists: readonly ReadField[] = [
  { name: 'limit', title: 'Limit', type: 'integer', range: [1, Number.POSITIVE_INFINITY] },
  { name: 'fields', title: 'Fields', type: 'choices' },
];

/** Names the tool and its filters in a cursor, so that it continues nothing else. */
function keyOf(name: string, input: ToolArguments): string {
  const filters = Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([name, filters]))
    .digest('base64url')
    .slice(0, 8);
}

function readCursor(cursor: unknown, key: string): Place {
  if (cursor === undefined || cursor === '') return { start: 0, part: undefined };
  const [, of, start, part] = /^([\w-]{8})\.(\d{1,9})\.(.*)$/s.exec(String(cursor)) ?? [];
  if (start === undefined) throw invalidCursor('is not valid: leave it out to start again');
  if (of !== key) {
    throw invalidCursor('belongs to other arguments: send those, or leave it out to start again');
  }
  return { start: Number(start), part: part || undefined };
}

const invalidCursor = (message: string) => invalid('cursor', message);

/** The tool gives it its title. */
function invalid(field: string, message: string): InputError {
  return new InputError('', [{ field, message }]);
}
