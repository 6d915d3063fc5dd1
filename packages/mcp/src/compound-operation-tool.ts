import { randomUUID } from 'node:crypto';
import type { Client } from '@screen-advertising/core';
import {
  type CatalogueEntry,
  type CompoundOperationName,
  compoundOperations,
  findAvailableScreens,
  findNearbyScreens,
  notesOf,
  type ReadOptions,
} from '@screen-advertising/core/availability';
import { whyEmpty } from '@screen-advertising/core/forms';
import { invalidCursor, type ListPage, listTool } from './list-tool.ts';
import type { Tool } from './tool.ts';

type ListResult = Pick<ListPage, 'data' | 'note'>;
type Find = (input: never, options: ReadOptions) => Promise<ListResult>;

/** Reading this part of the requests per minute leaves some to other calls: 500 of 600. */
const readPart = 5 / 6;
const maxEntries = 50;

/** A tool for each compound operation. Results are cached for a while, so that a cursor continues the same list. */
export function compoundOperationTools(
  client: Client,
  { requests }: { readonly requests: number },
): Tool[] {
  const maxScreens = Math.max(1, Math.floor(requests * readPart));
  const finds: Readonly<Partial<Record<string, Find>>> = findsOf(client);
  const results = new Map<string, ListResult>();
  return Object.values<CatalogueEntry>(compoundOperations).flatMap((entry) => {
    const find = finds[entry.name];
    if (!find) return [];
    return listTool(entry, async ({ cursor, ...input }, options) => {
      const { signal } = options;
      const self = String(cursor ?? randomUUID());
      const found = cursor ? results.get(self) : await find(input as never, { signal, maxScreens });
      if (!found) throw invalidCursor(entry.title);
      remember(results, self, found);
      const isEmpty = found.data.length === 0;
      const note = isEmpty ? await whyEmpty(client, entry, input, options) : undefined;
      return {
        ...found,
        note: found.note ?? note,
        pagination: { total_count: found.data.length },
        self,
      };
    });
  });
}

/** Watching is for triggers: a server forgets what it saw as soon as its client stops it. */
function findsOf(client: Client): Readonly<Partial<Record<CompoundOperationName, Find>>> {
  return {
    async 'screen.findNearby'(input, { signal }) {
      return resultOf(await findNearbyScreens(client, input, { signal }));
    },
    async 'screen.findAvailable'(input, options) {
      return resultOf(await findAvailableScreens(client, input, options));
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
): ListResult {
  return { data: found.screens, note: notesOf(found).join(' ') || undefined };
}
