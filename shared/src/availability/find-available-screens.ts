import { parseInput } from '../client/request.ts';
import { readNumber } from '../json.ts';
import type { AvailableScreen, ScreenFindAvailableParams } from '../types/availability.ts';
import type { Screen } from '../types/screens.ts';
import { compoundOperations } from './compound-operations.ts';
import { type PassedOverScreens, sortByDistanceOrPrice } from './find-nearby-screens.ts';
import {
  type AvailabilityReading,
  type ReadAvailabilitiesOptions,
  readAvailabilities,
  type ScreenFailure,
  type SearchClient,
  unreadableNumberError,
} from './read-availabilities.ts';

const operation = compoundOperations['screen.findAvailable'];

/** A found screen, with its days and, if the service knows one, its price. */
export interface FoundScreen extends AvailableScreen {
  readonly days: number;
  readonly total_price_cents: number | null;
}

/** What `findAvailableScreens` returns. */
export interface FoundScreens {
  /**
   * Nearest first in a search near a place, else cheapest first; of equals, most available share
   * first, then by screen ID.
   */
  readonly screens: FoundScreen[];
  /** Screens that could not be read, so they may fit or not; by screen ID. */
  readonly failures: ScreenFailure[];
  /** Left out of a search near a place: screens without coordinates, so they may be near or not. */
  readonly withoutCoordinates: Screen[];
  /** Left out: screens that were listed and could no longer be booked a moment later. */
  readonly notBookable: Screen[];
  /** Whether every screen was read: false if `until` ended the search. */
  readonly isWhole: boolean;
  /** How many screens were read and do not fit, and how near they come. */
  readonly passedOver: PassedOverScreens;
}

/**
 * Finds the screens with available ad time between two dates, and the price of the whole period:
 * lists them (section 4.2) and reads the availability of each (section 4.4), several at a time. A
 * screen that cannot be read is reported in `failures` and does not stop the search.
 *
 * Rejects with InputError, and with whatever `call` rejects with when the error affects every
 * screen: the list cannot be read, the access is refused, or its rate limit is reached.
 */
export async function findAvailableScreens(
  client: SearchClient,
  input: ScreenFindAvailableParams,
  options: ReadAvailabilitiesOptions = {},
): Promise<FoundScreens> {
  const { min_available_sov_pct, budget_cents, sort_by, ...filters } = parseInput(operation, input);
  const soldOut = { count: 0 };
  const tooFull = { count: 0, mostPct: 0 };
  const tooExpensive = { count: 0, cheapestCents: Number.POSITIVE_INFINITY };
  const keep = (reading: AvailabilityReading) => {
    const { share } = reading;
    if (share <= 0) {
      soldOut.count += 1;
      return undefined;
    }
    if (share < (min_available_sov_pct ?? 0)) {
      tooFull.count += 1;
      tooFull.mostPct = Math.max(tooFull.mostPct, share);
      return undefined;
    }
    const found = withPrice(reading, daysOf(filters));
    if (isWithin(budget_cents, found)) return found;
    tooExpensive.count += 1;
    tooExpensive.cheapestCents = Math.min(tooExpensive.cheapestCents, found.total_price_cents ?? 0);
    return undefined;
  };
  const {
    kept,
    beyond,
    done: _done,
    ...others
  } = await readAvailabilities(operation.title, client, filters, options, keep);
  const screens = sortByDistanceOrPrice(kept, sort_by ?? (filters.near ? 'nearest' : 'cheapest'));
  const passedOver = { beyond, soldOut, tooFull, tooExpensive };
  return { screens, ...others, passedOver };
}

function withPrice(
  { screen, availability, distance }: AvailabilityReading,
  days: number,
): FoundScreen {
  const perDay = readNumber(availability.price_per_day_cents);
  return {
    ...availability,
    screen_id: screen.id,
    days,
    total_price_cents: perDay === undefined ? null : perDay * days,
    ...distance,
    screen,
  };
}

/** An unknown price neither fits nor exceeds a budget, so its screen is reported as a failure. */
function isWithin(budget: number | undefined, found: FoundScreen): boolean {
  if (budget === undefined) return true;
  const { total_price_cents, screen_id } = found;
  if (typeof total_price_cents === 'number') return total_price_cents <= budget;
  throw unreadableNumberError(
    screen_id,
    'price_per_day_cents, so it cannot be compared with the budget',
  );
}

const dayMs = 24 * 60 * 60 * 1000;

/** The days of a period, including its first and last day. Both are written YYYY-MM-DD. */
function daysOf({ from, to }: { readonly from: string; readonly to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

interface LeftOut {
  readonly failures?: readonly ScreenFailure[];
  readonly withoutCoordinates: readonly unknown[];
  readonly notBookable?: readonly unknown[];
}

/** What a search left out, in sentences for people. */
export function searchNotes({
  failures = [],
  withoutCoordinates,
  notBookable = [],
}: LeftOut): string[] {
  const [first] = failures;
  return [
    first &&
      `Screens that could not be read: ${failures.length}. First error: ${first.error.message}`,
    withoutCoordinates.length > 0 &&
      `Screens left out because they have no coordinates: ${withoutCoordinates.length}.`,
    notBookable.length > 0 &&
      `Screens left out because they can no longer be booked: ${notBookable.length}.`,
  ].filter((note) => typeof note === 'string');
}

const plural = (count: number) => (count === 1 ? '1 screen' : `${count} screens`);

/** Why a search found no more, in sentences. */
export function reasonsForFewScreens({
  beyond,
  soldOut,
  tooFull,
  tooExpensive,
}: PassedOverScreens): string[] {
  return [
    beyond.count > 0 &&
      `Beyond the radius: ${plural(beyond.count)}, the nearest ${beyond.nearestKm} km away.`,
    soldOut?.count && `Sold out in this period: ${plural(soldOut.count)}.`,
    tooFull?.count &&
      `Below the minimum share of voice: ${plural(tooFull.count)}, of which one has ${tooFull.mostPct}% available.`,
    tooExpensive?.count &&
      `Above the budget: ${plural(tooExpensive.count)}, the cheapest for ${(tooExpensive.cheapestCents / 100).toFixed(2)} (${tooExpensive.cheapestCents} cents).`,
  ].filter((reason) => typeof reason === 'string');
}
