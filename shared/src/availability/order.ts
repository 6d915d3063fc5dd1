import { readNumber } from './read-availabilities.ts';

/** Sorts the same on every machine, whatever its locale. */
function compare<Value extends number | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Sorts by screen ID. */
export function byScreen(
  one: { readonly screen: { readonly id: string } },
  other: { readonly screen: { readonly id: string } },
): number {
  return compare(String(one.screen.id), String(other.screen.id));
}

interface Ranked {
  readonly screen_id: string;
  readonly total_price_cents?: unknown;
  readonly available_sov_pct?: unknown;
}

/** Sorts by price, unpriced last; then by most available share; then by screen ID. */
export function cheapestFirst(one: Ranked, other: Ranked): number {
  return (
    compare(priceOf(one), priceOf(other)) ||
    compare(shareOf(other), shareOf(one)) ||
    compare(String(one.screen_id), String(other.screen_id))
  );
}

function priceOf({ total_price_cents }: Ranked): number {
  return readNumber(total_price_cents) ?? Number.POSITIVE_INFINITY;
}

function shareOf({ available_sov_pct }: Ranked): number {
  return readNumber(available_sov_pct) ?? 0;
}
