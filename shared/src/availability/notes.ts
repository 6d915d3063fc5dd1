import type { ScreenFailure } from './read-availabilities.ts';

/** Screens that were looked at and do not fit: how many, and how near one comes. */
export interface PassedOver {
  /** Beyond the radius. */
  readonly beyond: { readonly count: number; readonly nearestKm: number };
  /** Without any share of voice left. */
  readonly soldOut?: { readonly count: number };
  /** With less share of voice than the minimum. */
  readonly tooFull?: { readonly count: number; readonly mostPct: number };
  /** Above the budget. */
  readonly tooExpensive?: { readonly count: number; readonly cheapestCents: number };
}

interface LeftOut {
  readonly failures?: readonly ScreenFailure[];
  readonly withoutCoordinates: readonly unknown[];
  readonly notBookable?: readonly unknown[];
}

/** What a search left out, in sentences for people. */
export function notesOf({
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
export function reasonsOf({ beyond, soldOut, tooFull, tooExpensive }: PassedOver): string[] {
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
