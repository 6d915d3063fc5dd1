import type { Random } from '../random.ts';
import type { StoredScreen } from '../state/stored-records.ts';
import { cities, venues } from './places.ts';

const firstDay = Date.UTC(2024, 2, 4, 8);
const dayMs = 24 * 60 * 60 * 1000;

/** Every eleventh screen cannot be booked: half of them are switched off, half are withdrawn. */
const notBookableEvery = 11;

/** The screen at this position, counted from 1. Cities alternate. */
export function makeScreen(random: Random, position: number): StoredScreen {
  const index = position - 1;
  const city = cities[index % cities.length] ?? cities[0];
  const numberInCity = Math.floor(index / cities.length) + 1;
  const venue = random.pick(venues);
  const street = random.pick(city.streets);
  const bookable = position % notBookableEvery !== 0;
  return {
    id: `scr_${city.name.toLowerCase()}_${String(numberInCity).padStart(4, '0')}`,
    name: `${street} ${venue.label}`,
    description: venue.description,
    country: city.country,
    city: city.name,
    address: `${street} ${random.integer(1, 180)}, ${city.name}`,
    // Within walking distance of the city center.
    latitude: degrees(city.latitude + (random.next() - 0.5) * 0.06),
    longitude: degrees(city.longitude + (random.next() - 0.5) * 0.09),
    orientation: venue.orientation,
    resolution_width: venue.width,
    resolution_height: venue.height,
    price_per_day_cents: roundPrice(
      venue.pricePerDayCents * city.priceLevel * (0.8 + random.next() * 0.5),
    ),
    ad_sov_pct: random.integer(4, 20) * 5,
    venue_type: venue.type,
    is_active: bookable || position % (notBookableEvery * 2) === 0,
    created_at: new Date(firstDay + index * dayMs * 2 + random.integer(0, dayMs)).toISOString(),
    bookable,
    used_sov_pct: null,
    position,
  };
}

function degrees(value: number): number {
  return Number(value.toFixed(5));
}

function roundPrice(cents: number): number {
  return Math.round(cents / 50) * 50;
}
