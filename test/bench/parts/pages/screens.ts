export const pageSize = 200;

/** A screen with all of its fields (section 2.1), about 400 bytes and as many more as asked for. */
export function screenOf(index: number, moreBytes = 0): Record<string, unknown> {
  const id = `scr_berlin_${String(index).padStart(6, '0')}`;
  return {
    id,
    name: `Friedrichstraße ${index}, shop window`,
    description: `Above the checkouts, one picture across three lanes.${'.'.repeat(moreBytes)}`,
    country: 'DE',
    city: 'Berlin',
    address: `Friedrichstraße ${index}, 10117 Berlin`,
    latitude: 52.5 + index / 10_000,
    longitude: 13.4 - index / 10_000,
    orientation: 'landscape',
    resolution_width: 1920,
    resolution_height: 1080,
    price_per_day_cents: 2000 + index,
    ad_sov_pct: 12.5,
    thumbnail_url: `https://images.example/${id}.jpg`,
    venue_type: 'supermarket',
    is_active: true,
    created_at: '2026-02-11T09:30:00.000Z',
  };
}
