import { type Coordinates, greatCircle } from '@screen-advertising/core/forms';
import type { Html } from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import type { StoredScreen } from '../../state/stored-records.ts';

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
