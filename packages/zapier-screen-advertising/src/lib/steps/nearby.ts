import type { Client, Screen } from '@screen-advertising/core';
import {
  compoundOperations,
  findNearbyScreens,
  nearbyRecords,
  notesOf,
} from '@screen-advertising/core/availability';
import type { PlainOutputField, ZObject } from 'zapier-platform-core';
import { withDeadline } from '../connection/deadline.ts';
import { inputOf } from '../fields/form.ts';

export const nearby = compoundOperations['screen.findNearby'];

/** Zapier shows nothing beside the records of a search, so each holds how many were left out. */
export const leftOutField: PlainOutputField = {
  key: 'screens_without_coordinates',
  label: 'Screens Without Coordinates',
  type: 'integer',
};

/** Adds the number to each record. Without records, only the log can say it. */
export function withLeftOut<Item extends object>(
  z: ZObject,
  found: readonly Item[],
  withoutCoordinates: readonly Screen[],
) {
  if (found.length === 0) logLeftOut(z, withoutCoordinates);
  const { length } = withoutCoordinates;
  return found.map((one) => ({ ...one, screens_without_coordinates: length }));
}

/** Zapier shows nothing beside the records of a trigger, and without records there is no run. */
export function logLeftOut(z: ZObject, withoutCoordinates: readonly Screen[] = []): void {
  for (const note of notesOf({ withoutCoordinates })) z.console.log(note);
}

/**
 * The screens near the place of the step, within the time of one run; undefined without a place.
 * `maxFound` ends the search early, for examples.
 */
export async function screensNearby(
  client: Client,
  read: Readonly<Record<string, unknown>>,
  label: string,
  options: { readonly maxFound?: number } = {},
) {
  const input = inputOf(nearby, read);
  const { near, radius_km, sort_by } = input as Partial<typeof input>;
  if ((near ?? radius_km) === undefined && sort_by !== 'nearest') return undefined;
  const { screens, ...others } = await withDeadline(client, label, (signal) =>
    findNearbyScreens(client, input, { ...options, signal }),
  );
  return { screens: nearbyRecords(screens), ...others };
}
