import type { Client, Screen } from '@screen-advertising/core';
import { compoundOperations, findNearbyScreens } from '@screen-advertising/core/availability';
import type { Bundle } from 'zapier-platform-core';
import { withDeadline } from './deadline.ts';
import { readInput } from './read-input.ts';

export const nearby = compoundOperations['screen.findNearby'];

/** The screens near the place of the step, within the time of one run; undefined without a place. */
export async function screensNearby(
  client: Client,
  bundle: Bundle,
  label: string,
): Promise<Screen[] | undefined> {
  const input = readInput(nearby, bundle.inputData, ['near']);
  const { near, radius_km, sort_by } = input as Partial<typeof input>;
  if ((near ?? radius_km) === undefined && sort_by !== 'nearest') return undefined;
  const found = await withDeadline(label, (signal) => findNearbyScreens(client, input, { signal }));
  return found.screens;
}
