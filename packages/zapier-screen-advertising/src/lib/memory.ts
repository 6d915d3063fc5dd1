import { createHash } from 'node:crypto';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** A change of a record, as the record was when it was noticed. */
export interface Change<Data> {
  /** Of the record that changed. */
  readonly subject: string;
  /** What it became, in a word. */
  readonly became: string;
  readonly data: Data;
}

/** A change that is kept, under an ID of its own: a change back and forth is three changes. */
interface KeptChange<Data> extends Change<Data> {
  readonly id: string;
}

/** What a trigger knows from poll to poll. */
interface Kept<Seen, Data> {
  /** When it looked for the first time: after a loss of the memory, changes have other IDs. */
  readonly since: string;
  /** What each record was when it was last seen. */
  readonly seen: Readonly<Record<string, Seen>>;
  /** How many changes of each record there were. */
  readonly counts: Readonly<Record<string, number>>;
  /** The latest changes, newest first. */
  readonly changes: readonly KeptChange<Data>[];
}

/** Beyond it, records that are no longer there are forgotten. */
const mostRemembered = 20_000;

/** So many does Zapier take of one poll; a Zap that polls less often than others misses none of them. */
const mostKept = 100;

/**
 * What a trigger has seen, kept by Zapier (`z.cache`). Zaps with the same connection that watch the
 * same share it. So each poll gives the latest changes again, those found by the poll of another
 * Zap included, and Zapier runs each Zap for the IDs that this Zap has not seen: a poll whose
 * result gets lost loses nothing, and nothing runs twice.
 */
export async function memoryOf<Seen, Data>(z: ZObject, { authData }: Bundle, watched: unknown) {
  const { base_url, client_id, api_key } = authData;
  const parts = JSON.stringify([base_url, client_id, api_key, watched]);
  const key = `seen ${createHash('sha256').update(parts).digest('base64url')}`;
  const kept: Kept<Seen, Data> | null = await z.cache.get(key);
  const { since, seen, counts, changes } = kept ?? nothingYet<Seen, Data>();
  return {
    /** Nothing has been seen before: whatever there is now is no change. */
    isEmpty: kept === null,
    seen,
    /**
     * Keeps what is there now, and gives the latest changes, newest first. A record that is not
     * there keeps what it was: it may be back in the next poll, and must not count as new then.
     */
    async keep(now: Kept<Seen, Data>['seen'], found: readonly Change<Data>[]) {
      const all = { ...seen, ...now };
      const counted = new Map(Object.entries(counts));
      const added = found.map((change) => {
        const { subject, became } = change;
        const count = (counted.get(subject) ?? 0) + 1;
        counted.set(subject, count);
        return { ...change, id: [subject, became, since, count].join(' ') };
      });
      const latest = [...added, ...changes].slice(0, Math.max(mostKept, added.length));
      await z.cache.set(key, {
        since,
        seen: Object.keys(all).length > mostRemembered ? now : all,
        counts: Object.fromEntries(counted),
        changes: latest,
      } satisfies Kept<Seen, Data>);
      return latest;
    },
  };
}

function nothingYet<Seen, Data>(): Kept<Seen, Data> {
  return { since: new Date().toISOString(), seen: {}, counts: {}, changes: [] };
}
