import {
  type Coordinates,
  greatCircleDistance,
  parseCoordinates,
} from '../catalogue/coordinates.ts';
import { screenOperations } from '../catalogue/screens.ts';
import { parseInput } from '../client/request.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../create-client.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { readNumber } from '../json.ts';
import type {
  NearbyScreen,
  ScreenFindNearbyParams,
  ScreenWithDistance,
} from '../types/availability.ts';
import type { Screen } from '../types/screens.ts';
import { compoundOperations } from './compound-operations.ts';

const operation = compoundOperations['screen.findNearby'];

/** What `findNearbyScreens` returns. */
export interface NearbyScreens {
  /** Nearest first, or cheapest per day first; of equals, by screen ID. */
  readonly screens: ScreenWithDistance[];
  /** Screens without coordinates, so they may be near or not. */
  readonly withoutCoordinates: Screen[];
  /** How many screens are beyond the radius. */
  readonly passedOver: PassedOverScreens;
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
  const nearby = new NearbyScreenPicker({ near, radius_km });
  const found: ScreenWithDistance[] = [];
  for await (const screen of client.items(screenOperations.list, filters, options)) {
    const { distance_km } = nearby.distanceOf(screen) ?? {};
    if (distance_km !== undefined) {
      const { id: screen_id, price_per_day_cents } = screen;
      found.push({ screen_id, price_per_day_cents, distance_km, screen });
    }
    if (found.length === maxFound) break;
  }
  nearby.assertLocated();
  const { withoutCoordinates, beyond } = nearby;
  const inOrder = sortByDistanceOrPrice(found, sort_by ?? 'nearest');
  return { screens: inOrder, withoutCoordinates, passedOver: { beyond } };
}

/** The found screens as records, each with its distance, for forms and tables. */
export function nearbyRecords(screens: readonly ScreenWithDistance[]): NearbyScreen[] {
  return screens.map(({ screen, distance_km }) => ({ ...screen, distance_km }));
}

export interface NearbyFilter {
  readonly near?: string | Coordinates | undefined;
  readonly radius_km?: number | undefined;
}

/** A field of the records of a search near a place; nothing without a place. */
export interface DistanceField {
  /** From the place, in kilometers, to the meter. */
  readonly distance_km?: number;
}

/** Picks the screens near a place, and keeps those that may be near it or not. */
export class NearbyScreenPicker {
  /** Screens without coordinates, so they were left out; in the order of the list. */
  readonly withoutCoordinates: Screen[] = [];
  /** Screens beyond the radius, and how far away the nearest of them is. */
  readonly beyond = { count: 0, nearestKm: Number.POSITIVE_INFINITY };
  readonly #place: Coordinates | undefined;
  readonly #radiusKm: number;
  #located = 0;

  constructor({ near, radius_km = Number.POSITIVE_INFINITY }: NearbyFilter) {
    // The input is checked before, so it can be read.
    this.#place = near === undefined ? near : (parseCoordinates(near) as Coordinates);
    this.#radiusKm = radius_km;
  }

  /** How far away the screen is; undefined if that is too far or unknown. */
  distanceOf(screen: Screen): DistanceField | undefined {
    if (!this.#place) return {};
    const there = parseCoordinates(screen);
    if (typeof there === 'string') {
      this.withoutCoordinates.push(screen);
      return undefined;
    }
    this.#located += 1;
    const distance_km = Math.round(greatCircleDistance(this.#place, there).km * 1000) / 1000;
    if (distance_km <= this.#radiusKm) return { distance_km };
    this.beyond.count += 1;
    this.beyond.nearestKm = Math.min(this.beyond.nearestKm, distance_km);
    return undefined;
  }

  /** Throws if no screen has coordinates: an empty result would look as if none were near. */
  assertLocated(): void {
    const { length } = this.withoutCoordinates;
    if (length === 0 || this.#located > 0) return;
    throw new ScreenAdvertisingError(
      'unexpected_response',
      `None of the screens (${length}) has coordinates, so no distance is known`,
      { remedy: 'Leave out near, or report this to the Screen Advertising team.' },
    );
  }
}

/** Sorts the same on every machine, whatever its locale. */
function compare<Value extends number | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Sorts by screen ID. */
export function sortByScreenId(
  one: { readonly screen: { readonly id: string } },
  other: { readonly screen: { readonly id: string } },
): number {
  return compare(String(one.screen.id), String(other.screen.id));
}

interface Ranked {
  readonly screen_id?: unknown;
  readonly id?: unknown;
  readonly distance_km?: number | null | undefined;
  readonly total_price_cents?: unknown;
  readonly price_per_day_cents?: unknown;
  readonly available_sov_pct?: unknown;
}

/**
 * Sorts by distance or price first, then by the other; then by most available share; then by ID. A
 * list that shifts between requests may hold a screen twice: the second is left out.
 */
export function sortByDistanceOrPrice<One extends Ranked>(
  records: One[],
  sort_by: 'nearest' | 'cheapest',
): One[] {
  const [first, second] = sort_by === 'nearest' ? [kmTo, priceOf] : [priceOf, kmTo];
  let hasEqual = false;
  records.sort((one, other) => {
    const order =
      compare(first(one), first(other)) ||
      compare(second(one), second(other)) ||
      compare(shareOf(other), shareOf(one)) ||
      compare(idOf(one), idOf(other));
    hasEqual ||= order === 0;
    return order;
  });
  if (!hasEqual) return records;
  return records.filter((one, at) => {
    const { id, screen_id = id } = one;
    const { id: before, screen_id: last = before } = records[at - 1] ?? {};
    return !screen_id || screen_id !== last;
  });
}

const kmTo = ({ distance_km }: Ranked): number => distance_km ?? 0;

/** Unpriced screens come last. */
function priceOf({ total_price_cents, price_per_day_cents }: Ranked): number {
  return readNumber(total_price_cents ?? price_per_day_cents) ?? Number.POSITIVE_INFINITY;
}

function shareOf({ available_sov_pct }: Ranked): number {
  return readNumber(available_sov_pct) ?? 0;
}

function idOf({ screen_id, id }: Ranked): string {
  return String(screen_id ?? id);
}

/** Screens that were looked at and do not fit: how many, and how near one comes. */
export interface PassedOverScreens {
  /** Beyond the radius. */
  readonly beyond: { readonly count: number; readonly nearestKm: number };
  /** Without any share of voice left. */
  readonly soldOut?: { readonly count: number };
  /** With less share of voice than the minimum. */
  readonly tooFull?: { readonly count: number; readonly mostPct: number };
  /** Above the budget. */
  readonly tooExpensive?: { readonly count: number; readonly cheapestCents: number };
}
