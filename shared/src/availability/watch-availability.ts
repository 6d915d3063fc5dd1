import { screenOperations } from '../catalogue/screens.ts';
import { parseInput } from '../client/request.ts';
import type { Client } from '../create-client.ts';
import { recordId } from '../json.ts';
import type { AvailabilityChange, ScreenAvailabilityChangedParams } from '../types/availability.ts';
import type { Screen } from '../types/screens.ts';
import { compoundOperations } from './compound-operations.ts';
import { NearbyScreenPicker, sortByScreenId } from './find-nearby-screens.ts';

import {
  type AvailabilityPassOptions,
  type AvailabilityReading,
  type ReadAvailabilitiesOptions,
  readAvailabilities,
  readAvailability,
  type ScreenFailure,
  type SearchClient,
} from './read-availabilities.ts';

/** The available share of each screen when last read, by screen ID. Plain JSON, ready to store. */
export type SeenShares = Readonly<Record<string, number>>;

type Crossing = Exclude<ScreenAvailabilityChangedParams['change'], 'either'>;

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
  readings: readonly AvailabilityReading[],
  { change, share_pct }: Pick<ScreenAvailabilityChangedParams, 'change' | 'share_pct'>,
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
 * was not listed, keeps its previous share. Only a whole pass shows which screens are not listed.
 */
function rememberShares(
  seen: SeenShares,
  readings: readonly AvailabilityReading[],
  isWhole: boolean,
): SeenShares {
  const current = Object.fromEntries(readings.map(({ screen, share }) => [screen.id, share]));
  const all = { ...seen, ...current };
  return isWhole && Object.keys(all).length > maxRemembered ? current : all;
}

/** `before` is missing when there is no previous reading, as in a sample. */
function changeRecord(
  { screen, availability, distance }: AvailabilityReading,
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

const operation = compoundOperations['screen.availabilityChanged'];

/** How to watch, and what the previous run returned. */
export interface WatchAvailabilityOptions extends AvailabilityPassOptions {
  /** `seen` of the previous run. Without it, the run only takes stock and reports no change. */
  readonly seen?: SeenShares | undefined;
}

/** What `watchAvailability` returns. */
export interface WatchedAvailability {
  /** Sorted by screen ID. */
  readonly changes: AvailabilityChange[];
  /** Every screen that was read, changed or not, sorted by screen ID. */
  readonly readings: AvailabilityReading[];
  /** Store it as JSON and pass it to the next run. */
  readonly seen: SeenShares;
  /**
   * Screens that could not be read this time. They keep their previous share, so the next run still
   * sees their change.
   */
  readonly failures: ScreenFailure[];
  /** Not watched near a place: screens without coordinates. */
  readonly withoutCoordinates: Screen[];
  /** Listed, but no longer bookable a moment later. They keep their previous share. */
  readonly notBookable: Screen[];
  /**
   * If `until` ended the run: pass it to the next one, which reads the other screens. Empty once
   * every screen was read.
   */
  readonly done: readonly string[];
}

/**
 * Finds the screens that have crossed a share of available ad time since the previous run. Rejects
 * as `findAvailableScreens` does, and when not a single screen could be read. In that case, keep
 * the previous `seen` and `done`: the next run compares with them and misses nothing.
 */
export async function watchAvailability(
  client: SearchClient,
  input: ScreenAvailabilityChangedParams,
  { seen = {}, ...options }: WatchAvailabilityOptions = {},
): Promise<WatchedAvailability> {
  const { change, share_pct, ...filters } = parseInput(operation, input);
  const all = await readAvailabilities(
    operation.title,
    client,
    filters,
    options,
    (reading) => reading,
  );
  const { kept: readings, isWhole, ...others } = all;
  const [first] = others.failures;
  const isContinued = (options.done ?? []).length > 0;
  // In a continued pass, the remaining screens may be those that always fail.
  if (first && readings.length === 0 && !isContinued) throw first.error;
  readings.sort(sortByScreenId);
  return {
    changes: availabilityChanges(seen, readings, { change, share_pct }),
    readings,
    seen: rememberShares(seen, readings, !isContinued && isWhole),
    ...others,
  };
}

/** What a change looks like, for the first matching screen of the list; undefined without a screen. */
export async function sampleAvailabilityChange(
  client: Pick<Client, 'call' | 'items'>,
  input: ScreenAvailabilityChangedParams,
  options: Pick<ReadAvailabilitiesOptions, 'signal'> = {},
): Promise<AvailabilityChange | undefined> {
  const { change, share_pct, from, to, near, radius_km, ...filters } = parseInput(operation, input);
  const nearby = new NearbyScreenPicker({ near, radius_km });
  const list = near ? filters : { ...filters, limit: 1 };
  for await (const screen of client.items(screenOperations.list, list, options)) {
    const distance = nearby.distanceOf(screen);
    if (!distance) continue;
    const reading = await readAvailability(client, screen, { from, to }, options.signal);
    const crossing = change === 'either' ? 'rises_above' : change;
    return changeRecord({ ...reading, distance }, crossing, { share_pct });
  }
  nearby.assertLocated();
  return undefined;
}
