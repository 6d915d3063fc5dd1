import type * as z from 'zod/mini';
import type { KnownFields } from '../catalogue/field-types.ts';
import { recordId } from '../catalogue/record-id.ts';
import type { Reading } from './read-availabilities.ts';
import type { tasks } from './tasks.ts';

type Watch = (typeof tasks)['screen.availabilityChanged'];
type Watched = z.output<Watch['input']>;

/** The available share of each screen when last read, by screen ID. Plain JSON, ready to store. */
export type SeenShares = Readonly<Record<string, number>>;

/**
 * The availability as the service sent it, with the screen, the share that was crossed, the
 * direction, and the previous share.
 */
export interface AvailabilityChange extends KnownFields<Watch['output']> {}

type Crossing = Exclude<Watched['change'], 'either'>;

/** Above this count, screens that the service no longer lists are forgotten. */
const maxRemembered = 20_000;

/**
 * The screens that crossed the share since `seen`, in the order of the readings. A screen rises
 * above the share when it was at or below it before and is above it now, and falls below it
 * likewise, so that no crossing counts twice. A screen seen for the first time has not crossed
 * anything.
 */
export function availabilityChanges(
  seen: SeenShares,
  readings: readonly Reading[],
  { change, share_pct }: Pick<Watched, 'change' | 'share_pct'>,
): AvailabilityChange[] {
  const known = new Map(Object.entries(seen));
  return readings.flatMap((reading) => {
    const { screen, share } = reading;
    const before = known.get(recordId(screen) ?? '');
    const crossed = before === undefined ? undefined : crossing(before, share, share_pct);
    if (!crossed || (change !== 'either' && change !== crossed)) return [];
    return changeRecord(reading, crossed, { share_pct, before });
  });
}

/**
 * The shares to compare the next readings with. A screen that was not read, because it failed or
 * was not listed, keeps its previous share.
 */
export function rememberShares(seen: SeenShares, readings: readonly Reading[]): SeenShares {
  const current = Object.fromEntries(readings.map(({ screen, share }) => [screen.id, share]));
  const all = { ...seen, ...current };
  return Object.keys(all).length > maxRemembered ? current : all;
}

/** `before` is missing when there is no previous reading, as in a sample. */
export function changeRecord(
  { screen, availability, distance }: Reading,
  change: Crossing,
  { share_pct, before }: { readonly share_pct: number; readonly before?: number | undefined },
): AvailabilityChange {
  return {
    ...availability,
    screen_id: screen.id,
    change,
    share_pct,
    previous_available_sov_pct: before ?? null,
    ...distance,
    screen,
  };
}

function crossing(before: number, now: number, share: number): Crossing | undefined {
  if (before <= share && now > share) return 'rises_above';
  return before >= share && now < share ? 'falls_below' : undefined;
}
