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
import { invalidCursor } from './list-part.ts';
import { listTool, type Whole } from './list-tool.ts';
import type { Tool } from './tool.ts';

type Found = Pick<Whole, 'data' | 'note'>;
type Find = (input: never, options: ReadOptions) => Promise<Found>;

/** Reading this many fits into one minute of the service's rate limit. */
const maxScreens = 500;
const mostRemembered = 50;

/** Replaces the catalogue's descriptions, which describe a trigger. */
const descriptions: Readonly<Partial<Record<string, string>>> = {
  'screen.availabilityChanged':
    'Reports which screens crossed a threshold of available share of voice since the last call with the same arguments. The first call only takes stock.',
};

/** A tool for each task. Results are kept for a while, so that a cursor continues the same list. */
export function taskTools(client: Client): Tool[] {
  const finds = findsOf(client);
  const kept = new Map<string, Found>();
  return Object.values<Task>(tasks).map((task) => {
    const find = finds[task.name as TaskName];
    const description = descriptions[task.name] ?? task.description;
    return listTool({ ...task, description }, async ({ cursor, ...input }, { signal }) => {
      const self = String(cursor ?? randomUUID());
      const found = cursor ? kept.get(self) : await find(input as never, { signal, maxScreens });
      if (!found) throw invalidCursor(task.title);
      remember(kept, self, found);
      return { ...found, pagination: { total_count: found.data.length }, self };
    });
  });
}

function findsOf(client: Client): Readonly<Record<TaskName, Find>> {
  const looks = new Map<string, SeenShares>();
  return {
    async 'screen.findAvailable'(input, options) {
      const { screens, failures } = await findAvailableScreens(client, input, options);
      return { data: screens, note: unread(failures) };
    },
    async 'screen.availabilityChanged'(input, options) {
      const key = JSON.stringify(sorted(input));
      const before = looks.get(key);
      const look = await watchAvailability(client, input, { ...options, seen: before });
      remember(looks, key, look.seen);
      const stock = `Took stock of all matching screens: ${look.readings.length}. Call again later with the same arguments to see what changed.`;
      return { data: look.changes, note: unread(look.failures, before ? '' : stock) };
    },
  };
}

/** Adds an entry and drops the oldest one beyond the limit. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > mostRemembered && oldest !== undefined) entries.delete(oldest);
}

function unread([first, ...others]: readonly ScreenFailure[], note = ''): string | undefined {
  if (!first) return note || undefined;
  return `${note} Screens that could not be read: ${others.length + 1}. First error: ${first.error.message}`.trim();
}
