import { screens } from '../catalogue/screens.ts';
import { parseInput } from '../client/request.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../client.ts';
import type { NearbyScreen, ScreenFindNearbyParams } from '../types/availability.ts';
import type { Screen } from '../types/screens.ts';
import { compoundOperations } from './compound-operations.ts';
import { Nearby } from './nearby.ts';
import type { PassedOver } from './notes.ts';
import { sorted } from './order.ts';

const operation = compoundOperations['screen.findNearby'];

/** What `findNearbyScreens` returns. */
export interface NearbyScreens {
  /** Nearest first, or cheapest per day first; of equals, by screen ID. */
  readonly screens: NearbyScreen[];
  /** Screens without coordinates, so they may be near or not. */
  readonly withoutCoordinates: Screen[];
  /** How many screens are beyond the radius. */
  readonly passedOver: PassedOver;
}

interface NearbyOptions {
  /** Stops once this many were found, in the order of the service. Default: finds all. */
  readonly maxFound?: number;
}

/**
 * Finds the screens near a place: lists those that match the other filters (section 4.2), and
 * computes the distance to each. Rejects as `call` does, and when no screen has coordinates.
 */
export async function findNearbyScreens(
  client: Pick<Client, 'items'>,
  input: ScreenFindNearbyParams,
  { maxFound = Number.POSITIVE_INFINITY, ...options }: CallOptions & NearbyOptions = {},
): Promise<NearbyScreens> {
  const { near, radius_km, sort_by, ...filters } = parseInput(operation, input);
  const nearby = new Nearby({ near, radius_km });
  const found: NearbyScreen[] = [];
  for await (const screen of client.items(screens.list, filters, options)) {
    const distance = nearby.distanceOf(screen);
    // A copy of each record would cost more than all distances.
    if (distance) found.push(Object.assign(screen, distance));
    if (found.length === maxFound) break;
  }
  nearby.assertLocated();
  const { withoutCoordinates, beyond } = nearby;
  const inOrder = sorted(found, sort_by ?? 'nearest');
  return { screens: inOrder, withoutCoordinates, passedOver: { beyond } };
}
