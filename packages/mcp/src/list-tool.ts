import { type CallOptions, InputError, type Page } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { readDays } from '@screen-advertising/core/forms';
import { nextCursor } from '@screen-advertising/core/platform';
import { describing, inputSchema, listSchema } from './schemas.ts';
import { type Fields, type Tool, toolName } from './tool.ts';

/** A page of a list, however long. */
export interface ListPage extends Page<unknown> {
  /** Leads to this page again, in place of the cursor that led to it. */
  readonly self?: string;
  readonly note?: string | undefined;
}

/** A tool that reads a list in parts of bounded length: all of one page, then the next page. */
export function listTool(
  entry: CatalogueEntry,
  read: (input: Fields, options: CallOptions) => Promise<ListPage>,
): Tool {
  const { title, description } = entry;
  const schema = inputSchema(entry);
  // Where the service takes no page size, the tool does.
  const isLimited = Object.hasOwn(schema.properties ?? {}, 'limit');
  return {
    name: toolName(title),
    title,
    description,
    inputSchema: describing(
      isLimited ? schema : describing(schema, 'limit', 'At most this many records.', 'integer'),
      'cursor',
      'Where to continue: pagination.cursor.',
    ),
    outputSchema: listSchema(entry),
    annotations: { readOnlyHint: true },
    async run({ cursor: given, limit, ...filters }, options) {
      const { start, rest } = readCursor(title, given);
      const most = isLimited ? undefined : limit;
      if (most !== undefined && !isCount(most))
        throw invalid(title, 'limit', 'must be a whole number of at least 1');
      const input = {
        ...readDays(entry, filters),
        ...(isLimited && limit !== undefined && { limit }),
        ...(rest !== undefined && { cursor: rest }),
      };
      const { data: all, pagination, self = rest, note } = await read(input, options);
      const { data, end } = partOf(all, start, most);
      const next = nextCursor(pagination);
      const place =
        end < all.length ? { start: end, rest: self } : next && { start: 0, rest: next };
      const cursor = place && `${place.start}~${place.rest ?? ''}`;
      const has_more = Boolean(place) || pagination.has_more === true;
      return { data, pagination: { ...pagination, has_more, cursor }, note };
    },
  };
}

/** About 8,000 tokens: a client shows a response of this size without cutting it. */
const maxCharacters = 25_000;

/** Where a list continues: an offset within the part that `rest` leads to. */
interface Place {
  readonly start: number;
  /** What leads to that part: the service's cursor, or the name of a kept result. */
  readonly rest: string | undefined;
}

/** Reads a cursor: a start, and what leads to the part. Throws InputError for any other text. */
function readCursor(title: string, cursor: unknown): Place {
  const [, start, rest] = /^(\d{1,9})~(.*)$/s.exec(String(cursor || '0~')) ?? [];
  if (start === undefined) throw invalidCursor(title);
  return { start: Number(start), rest: rest || undefined };
}

export function invalidCursor(title: string): InputError {
  return invalid(
    title,
    'cursor',
    'is not valid: leave it out to start at the beginning of the list',
  );
}

function invalid(title: string, field: string, message: string): InputError {
  return new InputError(title, [{ field, message }]);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1;
}

/** As many records as a response may hold, at least one, and where the rest begins. */
function partOf<Item>(all: readonly Item[], start: number, most = all.length) {
  let characters = 0;
  let end = start;
  while (end < all.length) {
    characters += JSON.stringify(all[end]).length;
    if (end > start && (characters > maxCharacters || end - start >= most)) break;
    end += 1;
  }
  return { data: all.slice(start, end), end };
}
