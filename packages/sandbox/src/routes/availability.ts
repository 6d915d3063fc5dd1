import { Random } from '../random.ts';
import type { StoredScreen } from '../state/stored-records.ts';

/**
 * Section 2.2. Unless usage was set by hand, it depends only on the screen and the period, so that
 * the same request always gets the same response.
 */
export function availabilityOf(
  screen: StoredScreen,
  from: string,
  to: string,
): Record<string, unknown> {
  const drawn = new Random(seedOf(`${screen.id} ${from} ${to}`)).integer(0, screen.ad_sov_pct);
  const used = Math.min(screen.used_sov_pct ?? drawn, screen.ad_sov_pct);
  return {
    screen_id: screen.id,
    from,
    to,
    max_sov_pct: screen.ad_sov_pct,
    used_sov_pct: used,
    available_sov_pct: screen.ad_sov_pct - used,
    price_per_day_cents: screen.price_per_day_cents,
  };
}

/** FNV-1a. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash;
}
