import type * as z from 'zod/mini';
import { screens } from '../catalogue/screens.ts';
import type { Client } from '../client/client.ts';
import { parseInput } from '../client/request.ts';
import {
  type AvailabilityChange,
  availabilityChanges,
  changeRecord,
  rememberShares,
  type SeenShares,
} from './availability-changes.ts';
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
  /** What the look before gave. Without it nothing counts as changed: it is what later ones compare with. */
  readonly seen?: SeenShares | undefined;
}

export interface WatchedAvailability {
  /** By the identifier of the screen. */
  readonly changes: AvailabilityChange[];
  /** What was read, by the identifier of the screen, changed or not. */
  readonly readings: Reading[];
  /** To be kept, as JSON, and handed to the next look. */
  readonly seen: SeenShares;
  /** Screens that could not be read this time. They keep the share they had, and miss no change. */
  readonly failures: ScreenFailure[];
}

/**
 * Looks which screens have crossed a share of available ad time since the look before. Rejects as
 * `findAvailableScreens` does, and when no screen at all could be read; then the look before stays
 * what the next one compares with, and nothing is missed.
 */
export async function watchAvailability(
  client: Pick<Client, 'call' | 'items'>,
  input: WatchInput,
  { seen = {}, ...options }: WatchOptions = {},
): Promise<WatchedAvailability> {
  const { change, share_pct, ...filters } = parseInput(task, input);
  const { kept: readings, failures } = await readAvailabilities(
    client,
    filters,
    options,
    (reading) => reading,
  );
  const [first] = failures.sort(byScreen);
  if (first && readings.length === 0) throw first.error;
  readings.sort(byScreen);
  return {
    changes: availabilityChanges(seen, readings, { change, share_pct }),
    readings,
    seen: rememberShares(seen, readings),
    failures,
  };
}

/** What a change would look like, with the first screen there is; undefined when there is none. */
export async function sampleAvailabilityChange(
  client: Pick<Client, 'call' | 'items'>,
  input: WatchInput,
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<AvailabilityChange | undefined> {
  const { change, share_pct, from, to, ...filters } = parseInput(task, input);
  const page = await client.call(screens.list, { ...filters, limit: 1 }, options);
  const [screen] = page.data;
  if (!screen) return undefined;
  const reading = await readAvailability(client, screen, { from, to }, options.signal);
  return changeRecord(reading, change === 'either' ? 'rises_above' : change, { share_pct });
}
