import { screens } from '../catalogue/screens.ts';
import { parseInput } from '../client/request.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../create-client.ts';
import type {
  NearbyScreen,
  ScreenFindNearbyParams,
  ScreenWithDistance,
} from '../types/availability.ts';
import type { Screen } from '../types/screens.ts';
import { compoundOperations } from './compound-operations.ts';
import type { PassedOver } from './find-available-screens.ts';
import { Nearby, sorted } from './nearby.ts';

const operation = compoundOperations['screen.findNearby'];

/** What `findNearbyScreens` returns. */
export interface NearbyScreens {
  /** Nearest first, or cheapest per day first; of equals, by screen ID. */
  readonly screens: ScreenWithDistance[];
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
  const found: ScreenWithDistance[] = [];
  for await (const screen of client.items(screens.list, filters, options)) {
    const { distance_km } = nearby.distanceOf(screen) ?? {};
    if (distance_km !== undefined) {
      const { id: screen_id, price_per_day_cents } = screen;
      found.push({ screen_id, price_per_day_cents, distance_km, screen });
    }
    if (found.length === maxFound) break;
  }
  nearby.assertLocated();
  const { withoutCoordinates, beyond } = nearby;
  const inOrder = sorted(found, sort_by ?? 'nearest');
  return { screens: inOrder, withoutCoordinates, passedOver: { beyond } };
}

/** The found screens as records, each with its distance, for forms and tables. */
export function nearbyRecords(screens: readonly ScreenWithDistance[]): NearbyScreen[] {
  return screens.map(({ screen, distance_km }) => ({ ...screen, distance_km }));
}
