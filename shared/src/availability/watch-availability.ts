import type * as z from 'zod/mini';
import { type Screen, screens } from '../catalogue/screens.ts';
import type { Client } from '../client/client.ts';
import { parseInput } from '../client/request.ts';
import {
  type AvailabilityChange,
  availabilityChanges,
  changeRecord,
  rememberShares,
  type SeenShares,
} from './availability-changes.ts';
import { Nearby } from './nearby.ts';
import { byScreen } from './order.ts';
import {
  type Reading,
  type ReadOptions,
  readAvailabilities,
  readAvailability,
  type ScreenFailure,
} from './read-availabilities.ts';
import { tasks } from './tasks.ts';

const task = tasks['screen.availabilityChanged'];

/** What `watchAvailability` takes: the change, the share in percent, the dates and the screens. */
export type WatchInput = z.input<typeof task.input>;

export interface WatchOptions extends ReadOptions {
  /** `seen` of the previous run. Without it, the run only takes stock and reports no change. */
  readonly seen?: SeenShares | undefined;
}

export interface WatchedAvailability {
  /** Sorted by screen ID. */
  readonly changes: AvailabilityChange[];
  /** Every screen that was read, changed or not, sorted by screen ID. */
  readonly readings: Reading[];
  /** Store it as JSON and pass it to the next run. */
  readonly seen: SeenShares;
  /**
   * Screens that could not be read this time. They keep their previous share, so the next run still
   * sees their change.
   */
  readonly failures: ScreenFailure[];
  /** Not watched near a place: screens without coordinates. */
  readonly withoutCoordinates: Screen[];
}

/**
 * Finds the screens that have crossed a share of available ad time since the previous run. Rejects
 * as `findAvailableScreens` does, and when not a single screen could be read. In that case, keep
 * the previous `seen`: the next run compares with it and misses nothing.
 */
export async function watchAvailability(
  client: Pick<Client, 'call' | 'items'>,
  input: WatchInput,
  { seen = {}, ...options }: WatchOptions = {},
): Promise<WatchedAvailability> {
  const { change, share_pct, ...filters } = parseInput(task, input);
  const all = await readAvailabilities(client, filters, options, (reading) => reading);
  const { kept: readings, ...others } = all;
  const [first] = others.failures;
  if (first && readings.length === 0) throw first.error;
  readings.sort(byScreen);
  return {
    changes: availabilityChanges(seen, readings, { change, share_pct }),
    readings,
    seen: rememberShares(seen, readings),
    ...others,
  };
}

/** What a change looks like, for the first matching screen of the list; undefined without a screen. */
export async function sampleAvailabilityChange(
  client: Pick<Client, 'call' | 'items'>,
  input: WatchInput,
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<AvailabilityChange | undefined> {
  const { change, share_pct, from, to, near, radius_km, ...filters } = parseInput(task, input);
  const nearby = new Nearby({ near, radius_km });
  const list = near ? filters : { ...filters, limit: 1 };
  for await (const screen of client.items(screens.list, list, options)) {
    const distance = nearby.distanceOf(screen);
    if (!distance) continue;
    const reading = await readAvailability(client, screen, { from, to }, options.signal);
    const crossing = change === 'either' ? 'rises_above' : change;
    return changeRecord({ ...reading, distance }, crossing, { share_pct });
  }
  nearby.assertLocated();
  return undefined;
}
