import {
  type Coordinates,
  greatCircleDistance,
  inputIssuesOf,
  parseCoordinates,
  type ReadField,
  readSetting,
} from '@screen-advertising/core/forms';
import { type Html, selectField } from '@screen-advertising/server-kit/pages';
import { html, raw } from 'hono/html';
import { thumbnailPath } from '../service/screens.ts';
import type { StoredScreen } from '../state/stored-records.ts';
import { type InspectorPageDefinition, stateBadge } from './view.ts';

const perPage = 24;
const path = '/inspector/screens';

const radius: ReadField = {
  name: 'radius_km',
  title: 'Radius in Kilometers',
  type: 'number',
  range: [0.1, 20_000],
};

export const screensPage: InspectorPageDefinition = {
  path,
  title: 'Screens',
  intro: 'All screens, including a few that cannot be booked.',
  content({ sandbox, url }) {
    const all = sandbox.screens.list();
    const given = { city: '', near: '', radius_km: '', ...Object.fromEntries(url.searchParams) };
    const { city, near } = given;
    const readRadius = () => Number(readSetting('', radius, given.radius_km, 5));
    const [fault] = inputIssuesOf(readRadius);
    const radiusKm = fault ? 5 : readRadius();
    const inCity = all.filter((screen) => city === '' || screen.city === city);
    const place = near && parseCoordinates(near);
    const unread = typeof place === 'string' && place && `Near ${place}`;
    const wrong = fault ? `${radius.title} ${fault.message}` : unread;
    const found =
      !wrong && typeof place === 'object' ? screensNear(inCity, place, radiusKm) : undefined;
    const shown: Shown[] = found ?? inCity.map((screen) => ({ screen }));
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    const page = Math.min(Math.max(1, Number(url.searchParams.get('page')) || 1), pages);
    const cards = shown.slice((page - 1) * perPage, page * perPage).map(card);
    return html`<div class="split">
<div><div class="map">${found ? placeMap(found, radiusKm) : cityMap(all, city)}</div>
${filter(all, given, shown.length)}
${wrong ? html`<p class="empty" role="alert">${wrong}.</p>` : ''}</div>
<div><ul class="screens">${cards}</ul>
${pager(url, page, pages)}</div>
</div>`;
  },
};

type Shown = Pick<NearScreen, 'screen'> & Partial<NearScreen>;

type Given = Record<'city' | 'near' | 'radius_km', string>;

function filter(all: readonly StoredScreen[], given: Given, count: number): Html {
  const { city, near, radius_km } = given;
  const cities = [...new Set(all.map((screen) => screen.city))].sort();
  const options = [['', 'All cities'] as const, ...cities.map((name) => [name, name] as const)];
  return html`<form class="fields" method="get" action="${path}">
${selectField({ name: 'city', label: 'City', options, chosen: city })}
<div><label for="near">Near</label>
<input id="near" name="near" value="${near}" placeholder="52.5200, 13.4050"></div>
<div><label for="radius_km">${radius.title}</label>
<input id="radius_km" name="radius_km" inputmode="decimal" value="${radius_km}" placeholder="5"></div>
<button>Show</button>
<p class="quiet">${count} screens</p>
</form>`;
}

function card({ screen, km }: Shown): Html {
  const price = (screen.price_per_day_cents / 100).toFixed(2);
  return html`<li class="card screen">
<img src="${thumbnailPath}/${encodeURIComponent(screen.id)}.svg" alt="" loading="lazy" width="480" height="320">
<h2>${screen.name}</h2>
<p>${screen.address}, ${screen.country}${km === undefined ? '' : `, ${km.toFixed(3)} km away`}</p>
<p class="quiet">${screen.venue_type.replaceAll('_', ' ')}, ${screen.orientation}, ${screen.resolution_width} × ${screen.resolution_height}</p>
<p><b>${price}</b> per day, ${screen.ad_sov_pct}% of ad time ${screen.bookable ? '' : stateBadge('not bookable')}</p>
<p><code>${screen.id}</code></p>
</li>\n`;
}

function pager(url: URL, page: number, pages: number): Html {
  const link = (label: string, to: number) => {
    const query = new URLSearchParams(url.searchParams);
    query.set('page', String(to));
    return to < 1 || to > pages
      ? html`<span class="quiet">${label}</span>`
      : html`<a href="${path}?${query.toString()}">${label}</a>`;
  };
  return html`<nav class="pager" aria-label="Pages of screens">
${link('Previous', page - 1)} <span>Page ${page} of ${pages}</span> ${link('Next', page + 1)}
</nav>`;
}

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
function cityMap(screens: readonly StoredScreen[], chosen: string): Html {
  const { places, height } = placeCities(screens);
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

type Place = ReturnType<typeof placeCities>['places'][number];

/** Moves the name of a city below that of a close one. */
function nameLine({ x, y }: Place, places: readonly Place[]): number {
  const above = places.find(
    (other) => other.y < y && y - other.y < line.height && Math.abs(other.x - x) < line.near,
  );
  return above ? above.y + line.height : y;
}

function placeCities(screens: readonly StoredScreen[]) {
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

interface NearScreen extends ReturnType<typeof greatCircleDistance> {
  readonly screen: StoredScreen;
}

/** The screens within the radius, nearest first. */
function screensNear(
  screens: readonly StoredScreen[],
  place: Coordinates,
  radiusKm: number,
): NearScreen[] {
  return screens
    .map((screen) => ({ screen, ...greatCircleDistance(place, screen) }))
    .filter(({ km }) => km <= radiusKm)
    .sort((a, b) => a.km - b.km);
}

const circle = 170;

/** The screens in a circle around a place, each in its direction and at its distance. */
function placeMap(found: readonly NearScreen[], radiusKm: number): Html {
  const dots = found.map(({ screen, km, east, north }) => {
    const scale = (circle * km) / radiusKm / (Math.hypot(east, north) || 1);
    return html`<circle cx="${(east * scale).toFixed(1)}" cy="${(-north * scale).toFixed(1)}" r="6"><title>${screen.name}: ${km.toFixed(3)} km</title></circle>\n`;
  });
  return html`<svg viewBox="-320 -200 640 400" role="img" aria-label="Screens within ${radiusKm} km: ${found.length}">
<circle class="radius" r="${circle}"/>
<path class="place" d="M-7 0H7M0-7V7"/>
${dots}<text x="-304" y="184">${radiusKm} km</text></svg>`;
}
