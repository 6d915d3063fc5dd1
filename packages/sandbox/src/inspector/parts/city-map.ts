import { type Coordinates, greatCircle } from '@screen-advertising/core/forms';
import type { Html } from '@screen-advertising/server-kit/pages';
import { html, raw } from 'hono/html';
import type { StoredScreen } from '../../state/stored-records.ts';

const width = 640;
/** Leaves room for the name of the easternmost city. */
const margin = { side: 24, east: 100, top: 24 };
/**
 * Roughly how much longer a degree of latitude is than one of longitude, at mid-European latitudes.
 */
const stretch = 1.55;
/** The height of a line of names, and how near a name on the line above must start to be in the way. */
const line = { height: 20, near: 60 };

/**
 * The screens by city; each city links to its screens. Draws no coastline, so it needs no map
 * service.
 */
export function cityMap(screens: readonly StoredScreen[], chosen: string): Html {
  const { places, height } = lay(screens);
  if (places.length === 0) return html`<p class="empty">No screens.</p>`;
  const dots = places.map((place) => {
    const { name, x, y, screens: count } = place;
    const radius = 4 + Math.sqrt(count);
    return html`<a href="/inspector/screens?city=${encodeURIComponent(name)}" ${name === chosen ? raw('class="chosen" aria-current="true"') : ''}>
<title>${name}: ${count} screens</title>
<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}"/>
<text x="${(x + radius + 4).toFixed(1)}" y="${nameLine(place, places) + 5}">${name}</text>
</a>\n`;
  });
  return html`<svg viewBox="0 0 ${width} ${height}" role="group" aria-label="Map of the cities">${dots}</svg>`;
}

type Place = ReturnType<typeof lay>['places'][number];

/** Moves the name of a city below that of a close one. */
function nameLine({ x, y }: Place, places: readonly Place[]): number {
  const above = places.find(
    (other) => other.y < y && y - other.y < line.height && Math.abs(other.x - x) < line.near,
  );
  return above ? above.y + line.height : y;
}

function lay(screens: readonly StoredScreen[]) {
  const cities = Object.entries(Object.groupBy(screens, ({ city }) => city)).map(
    ([name, group = []]) => ({
      name,
      east: mean(group.map(({ longitude }) => longitude)),
      north: mean(group.map(({ latitude }) => latitude)) * stretch,
      screens: group.length,
    }),
  );
  const west = Math.min(...cities.map(({ east }) => east));
  const top = Math.max(...cities.map(({ north }) => north));
  const span = Math.max(...cities.map(({ east }) => east)) - west || 1;
  const scale = (width - margin.side - margin.east) / span;
  const places = cities.map(({ east, north, ...city }) => ({
    ...city,
    x: Math.round(margin.side + (east - west) * scale),
    y: Math.round(margin.top + (top - north) * scale),
  }));
  return { places, height: Math.max(0, ...places.map(({ y }) => y)) + margin.top };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface NearScreen extends ReturnType<typeof greatCircle> {
  readonly screen: StoredScreen;
}

/** The screens within the radius, nearest first. */
export function screensNear(
  screens: readonly StoredScreen[],
  place: Coordinates,
  radiusKm: number,
): NearScreen[] {
  return screens
    .map((screen) => ({ screen, ...greatCircle(place, screen) }))
    .filter(({ km }) => km <= radiusKm)
    .sort((a, b) => a.km - b.km);
}

const circle = 170;

/** The screens in a circle around a place, each in its direction and at its distance. */
export function placeMap(found: readonly NearScreen[], radiusKm: number): Html {
  const dots = found.map(({ screen, km, east, north }) => {
    const scale = (circle * km) / radiusKm / (Math.hypot(east, north) || 1);
    return html`<circle cx="${(east * scale).toFixed(1)}" cy="${(-north * scale).toFixed(1)}" r="6"><title>${screen.name}: ${km.toFixed(3)} km</title></circle>\n`;
  });
  return html`<svg viewBox="-320 -200 640 400" role="img" aria-label="Screens within ${radiusKm} km: ${found.length}">
<circle class="radius" r="${circle}"/>
<path class="place" d="M-7 0H7M0-7V7"/>
${dots}<text x="-304" y="184">${radiusKm} km</text></svg>`;
}
