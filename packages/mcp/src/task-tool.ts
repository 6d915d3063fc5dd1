import { randomUUID } from 'node:crypto';
import type { Client } from '@screen-advertising/core';
import {
  findAvailableScreens,
  type ReadOptions,
  type ScreenFailure,
  type SeenShares,
  type Task,
  type TaskName,
  tasks,
  watchAvailability,
} from '@screen-advertising/core/availability';
import { sorted } from './caller-key.ts';
import { invalidCursor, partOf, readCursor, writeCursor } from './list-part.ts';
import { describing, inputSchema, listSchema } from './schemas.ts';
import { type Tool, toolName } from './tool.ts';

/** What a task found, whole. */
interface Found {
  readonly data: readonly unknown[];
  readonly failures: readonly ScreenFailure[];
  readonly note?: string;
}

interface Runner {
  /** In place of the catalogue's, which speaks of a trigger. */
  readonly description?: string;
  readonly find: (input: never, options: ReadOptions) => Promise<Found>;
}

/** Their requests fit into a minute of the service's limit. */
const maxScreens = 500;
const mostRemembered = 50;

/** A tool for each task. What it finds is kept for a while, so that a cursor continues the same list. */
export function taskTools(client: Client): Tool[] {
  const known = runners(client);
  const kept = new Map<string, Found>();
  return Object.values<Task>(tasks).map((task) => {
    const { find, description = task.description } = known[task.name as TaskName];
    const { title } = task;
    return {
      name: toolName(title),
      title,
      description,
      inputSchema: describing(
        inputSchema(task),
        'cursor',
        'Where to continue: pagination.cursor of the previous result.',
      ),
      outputSchema: listSchema(task),
      annotations: { readOnlyHint: true },
      async run({ cursor, ...input }, signal) {
        const { start, rest = randomUUID() } = readCursor(title, cursor);
        const found = cursor ? kept.get(rest) : await find(input as never, { signal, maxScreens });
        if (!found) throw invalidCursor(title);
        const { data, end } = partOf(found.data, start);
        const total_count = found.data.length;
        const has_more = end < total_count;
        if (has_more) remember(kept, rest, found);
        const next = has_more && { cursor: writeCursor({ start: end, rest }) };
        const note = [found.note, unread(found.failures)].filter(Boolean).join(' ');
        return { data, pagination: { has_more, total_count, ...next }, ...(note && { note }) };
      },
    };
  });
}

function runners(client: Client): Readonly<Record<TaskName, Runner>> {
  const looks = new Map<string, SeenShares>();
  return {
    'screen.findAvailable': {
      async find(input, options) {
        const { screens, failures } = await findAvailableScreens(client, input, options);
        return { data: screens, failures };
      },
    },
    'screen.availabilityChanged': {
      description:
        'Reports which screens crossed a threshold of available share of voice since the last call with the same arguments. The first call only takes stock.',
      async find(input, options) {
        const key = JSON.stringify(sorted(input));
        const before = looks.get(key);
        const look = await watchAvailability(client, input, { ...options, seen: before });
        remember(looks, key, look.seen);
        const { changes: data, readings, failures } = look;
        const note = `Took stock of ${screensOf(readings.length)}. Call again later with the same arguments to see what changed.`;
        return { data, failures, ...(!before && { note }) };
      },
    },
  };
}

/** Forgets the oldest. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > mostRemembered && oldest !== undefined) entries.delete(oldest);
}

function unread([first, ...others]: readonly ScreenFailure[]): string | undefined {
  return (
    first &&
    `${screensOf(others.length + 1)} could not be read. First error: ${first.error.message}`
  );
}

function screensOf(count: number): string {
  return count === 1 ? '1 screen' : `${count} screens`;
}
