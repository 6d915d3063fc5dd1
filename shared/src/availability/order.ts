import { readNumber } from '../json.ts';

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
export function sorted<One extends Ranked>(records: One[], sort_by: 'nearest' | 'cheapest'): One[] {
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
