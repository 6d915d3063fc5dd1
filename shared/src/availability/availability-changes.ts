import type * as z from 'zod/mini';
import type { Reading } from './read-availabilities.ts';
import type { tasks } from './tasks.ts';

type Watch = (typeof tasks)['screen.availabilityChanged'];
type Watched = z.output<Watch['input']>;

/** The available share of every screen when it was last read, by identifier. Plain JSON, to be kept. */
export type SeenShares = Readonly<Record<string, number>>;

/** The availability as it came, with the screen, what was crossed in which direction, and from where. */
export type AvailabilityChange = z.output<Watch['output']>;

type Crossing = Exclude<Watched['change'], 'either'>;

/** Beyond it, screens that the service no longer lists are forgotten. */
const maxRemembered = 20_000;

/**
 * What crossed the share since `seen`, in the order of the readings. A screen rises above it when
 * it was at the share or below before and is above now, and falls below it likewise, so that no
 * crossing counts twice. A screen that was never seen has crossed nothing yet.
 */
export function availabilityChanges(
  seen: SeenShares,
  readings: readonly Reading[],
  { change, share_pct }: Pick<Watched, 'change' | 'share_pct'>,
): AvailabilityChange[] {
  const known = new Map(Object.entries(seen));
  return readings.flatMap((reading) => {
    const { screen, share } = reading;
    const before = known.get(screen.id);
    const crossed = before === undefined ? undefined : crossing(before, share, share_pct);
    if (!crossed || (change !== 'either' && change !== crossed)) return [];
    return changeRecord(reading, crossed, { share_pct, before });
  });
}

/**
 * What to compare the next readings with. A screen that was not read, because it failed or was not
 * listed, keeps the share it had.
 */
export function rememberShares(seen: SeenShares, readings: readonly Reading[]): SeenShares {
  const current = Object.fromEntries(readings.map(({ screen, share }) => [screen.id, share]));
  const all = { ...seen, ...current };
  return Object.keys(all).length > maxRemembered ? current : all;
}

/** `before` is missing where nothing was seen before, as in a sample. */
export function changeRecord(
  { screen, availability }: Reading,
  change: Crossing,
  { share_pct, before }: { readonly share_pct: number; readonly before?: number | undefined },
): AvailabilityChange {
  return {
    ...availability,
    screen_id: screen.id,
    change,
    share_pct,
    previous_available_sov_pct: before ?? null,
    screen,
  };
}

function crossing(before: number, now: number, share: number): Crossing | undefined {
  if (before <= share && now > share) return 'rises_above';
  return before >= share && now < share ? 'falls_below' : undefined;
}
