import type { CallOptions, Page } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import { nextCursor } from '@screen-advertising/core/platform';
import { partOf, readCursor } from './list-part.ts';
import { describing, inputSchema, listSchema } from './schemas.ts';
import { type Fields, type Tool, toolName } from './tool.ts';

/** A page of a list, however long. */
export interface Whole extends Page<unknown> {
  /** Leads to this page again, in place of the cursor that led to it. */
  readonly self?: string;
  readonly note?: string | undefined;
}

/** A tool that reads a list in parts of bounded length: all of one page, then the next page. */
export function listTool(
  task: Task,
  read: (input: Fields, options: CallOptions) => Promise<Whole>,
): Tool {
  const { title, description } = task;
  return {
    name: toolName(title),
    title,
    description,
    inputSchema: describing(inputSchema(task), 'cursor', 'Where to continue: pagination.cursor.'),
    outputSchema: listSchema(task),
    annotations: { readOnlyHint: true },
    async run({ cursor: given, ...filters }, options) {
      const { start, rest } = readCursor(title, given);
      const input = { ...filters, ...(rest !== undefined && { cursor: rest }) };
      const { data: all, pagination, self = rest, note } = await read(input, options);
      const { data, end } = partOf(all, start);
      const next = nextCursor(pagination);
      const place =
        end < all.length ? { start: end, rest: self } : next && { start: 0, rest: next };
      const cursor = place && `${place.start}~${place.rest ?? ''}`;
      const has_more = Boolean(place) || pagination.has_more === true;
      return { data, pagination: { ...pagination, has_more, cursor }, note };
    },
  };
}
