import { createHash } from 'node:crypto';
import type { AvailabilityChange, SeenShares, WatchInput } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** The last crossing of a screen. */
export interface Crossing {
  /** How many there were of this screen, this one included. */
  readonly count: number;
  readonly change: string;
  readonly previous_available_sov_pct: number | null;
}

/** What the trigger knows from poll to poll. */
export interface Watched {
  /** When it was looked for the first time: after a loss of the state other crossings have other names. */
  readonly since: string;
  readonly seen: SeenShares;
  readonly crossings: Readonly<Record<string, Crossing>>;
}

/**
 * Where Zapier keeps it. Zaps with the same connection and fields share it, which does no harm: each
 * gives the same name to the same crossing, and Zapier remembers for each Zap which it has run for.
 */
export function watchedIn(z: ZObject, { authData }: Bundle, input: WatchInput) {
  const { base_url, client_id, api_key } = authData;
  const parts = JSON.stringify([base_url, client_id, api_key, input]);
  const key = `availability ${createHash('sha256').update(parts).digest('base64url')}`;
  return {
    read: async (): Promise<Watched> =>
      (await z.cache.get(key)) ?? { since: new Date().toISOString(), seen: {}, crossings: {} },
    keep: async (watched: Watched): Promise<void> => {
      await z.cache.set(key, watched);
    },
  };
}

/** Adds what has just changed to the crossings that are known. */
export function withChanges(
  crossings: Watched['crossings'],
  changes: readonly AvailabilityChange[],
): Watched['crossings'] {
  const known = new Map(Object.entries(crossings));
  for (const { screen_id, change, previous_available_sov_pct } of changes) {
    known.set(screen_id, {
      count: (known.get(screen_id)?.count ?? 0) + 1,
      change: change ?? '',
      previous_available_sov_pct: previous_available_sov_pct ?? null,
    });
  }
  return Object.fromEntries(known);
}
