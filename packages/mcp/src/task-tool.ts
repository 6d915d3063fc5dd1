import { randomUUID } from 'node:crypto';
import type { Client } from '@screen-advertising/core';
import {
  findAvailableScreens,
  findNearbyScreens,
  notesOf,
  type ReadOptions,
  type SeenShares,
  type Task,
  type TaskName,
  tasks,
  watchAvailability,
} from '@screen-advertising/core/availability';
import { sorted } from './caller-key.ts';
import { invalidCursor, type ListPage, listTool } from './list-tool.ts';
import type { Tool } from './tool.ts';

type ListResult = Pick<ListPage, 'data' | 'note'>;
type Find = (input: never, options: ReadOptions) => Promise<ListResult>;

/** Reading this many fits into one minute of the service's rate limit. */
const maxScreens = 500;
const maxEntries = 50;

/** Replaces the catalogue's descriptions, which describe a trigger. */
const descriptions: Readonly<Partial<Record<string, string>>> = {
  'screen.availabilityChanged':
    'Reports which screens crossed a threshold of available share of voice since the last call with the same arguments. The first call only takes stock.',
};

/** A tool for each task. Results are cached for a while, so that a cursor continues the same list. */
export function taskTools(client: Client): Tool[] {
  const finds = findsOf(client);
  const results = new Map<string, ListResult>();
  return Object.values<Task>(tasks).map((task) => {
    const find = finds[task.name as TaskName];
    const description = descriptions[task.name] ?? task.description;
    return listTool({ ...task, description }, async ({ cursor, ...input }, { signal }) => {
      const self = String(cursor ?? randomUUID());
      const found = cursor ? results.get(self) : await find(input as never, { signal, maxScreens });
      if (!found) throw invalidCursor(task.title);
      remember(results, self, found);
      return { ...found, pagination: { total_count: found.data.length }, self };
    });
  });
}

function findsOf(client: Client): Readonly<Record<TaskName, Find>> {
  const lastSeen = new Map<string, SeenShares>();
  return {
    async 'screen.findNearby'(input, { signal }) {
      return resultOf(await findNearbyScreens(client, input, { signal }));
    },
    async 'screen.findAvailable'(input, options) {
      return resultOf(await findAvailableScreens(client, input, options));
    },
    async 'screen.availabilityChanged'(input, options) {
      const key = JSON.stringify(sorted(input));
      const before = lastSeen.get(key);
      const change = await watchAvailability(client, input, { ...options, seen: before });
      remember(lastSeen, key, change.seen);
      const stock = `Took stock of all matching screens: ${change.readings.length}. Call again later with the same arguments to see what changed.`;
      const { changes: screens, ...others } = change;
      return resultOf({ screens, ...others }, before ? [] : [stock]);
    },
  };
}

/** Adds an entry and drops the oldest one beyond the limit. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
}

function resultOf(
  found: Parameters<typeof notesOf>[0] & { readonly screens: ListResult['data'] },
  notes: readonly string[] = [],
): ListResult {
  return { data: found.screens, note: [...notes, ...notesOf(found)].join(' ') || undefined };
}
