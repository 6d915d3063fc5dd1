import { type Client, type Operation, operations, type Page } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';
import type { KeyMaker } from './caller-key.ts';
import { partOf, readCursor, writeCursor } from './list-part.ts';
import { describing, inputSchema, listSchema, recordSchema } from './schemas.ts';
import { type Tool, toolName } from './tool.ts';

/** Below the time after which clients give up, so that the model hears what happened: 60 s. */
export const deadlineMs = 50_000;

/** A tool for each operation of the catalogue. */
export function operationTools(client: Client, makeKey: KeyMaker): Tool[] {
  return Object.values(operations).map((operation: Operation) => {
    const isList = operation.answer !== 'record';
    return {
      name: toolName(operation.title),
      title: operation.title,
      description: operation.description,
      inputSchema: withKey(operation),
      outputSchema: isList ? listSchema(operation) : recordSchema(operation),
      annotations: annotationsOf(operation),
      run: isList ? listed(client, operation) : recorded(client, operation, makeKey),
    };
  });
}

/** What creates a record takes nothing away; any other change may. */
function annotationsOf({ method, successStatus, repair }: Operation): Tool['annotations'] {
  if (method === 'GET') return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: successStatus !== 201,
    idempotentHint: repair !== 'none',
  };
}

function withKey(operation: Operation): Tool['inputSchema'] {
  const { callerKey, resource } = operation;
  const schema = inputSchema(operation);
  if (callerKey === undefined) return schema;
  const words = `Leave it out unless the user names one. It is then generated from the other arguments and the date, so a retry finds the ${resource.title.toLowerCase()} it created.`;
  return describing(schema, callerKey, words);
}

function recorded(client: Client, operation: Operation, makeKey: KeyMaker): Tool['run'] {
  const { callerKey } = operation;
  return async (input, signal) => {
    const key = callerKey !== undefined &&
      input[callerKey] === undefined && { [callerKey]: makeKey(operation, input) };
    const options = { signal, deadlineMs, adoptExisting: callerKey !== undefined };
    const record: unknown = await client.call(operation, { ...input, ...key }, options);
    return record as Record<string, unknown>;
  };
}

function listed(client: Client, operation: Operation): Tool['run'] {
  return async ({ cursor, ...filters }, signal) => {
    const { start, rest } = readCursor(operation.title, cursor);
    const input = { ...filters, ...(rest !== undefined && { cursor: rest }) };
    const answer: unknown = await client.call(operation, input, { signal, deadlineMs });
    const page = answer as Page<unknown>;
    const { data, end } = partOf(page.data, start);
    const next = nextCursor(page.pagination);
    const place = end < page.data.length ? { start: end, rest } : next && { start: 0, rest: next };
    const { cursor: _, ...pagination } = page.pagination;
    return {
      data,
      pagination: {
        ...pagination,
        has_more: Boolean(place) || pagination.has_more === true,
        ...(place && { cursor: writeCursor(place) }),
      },
    };
  };
}
