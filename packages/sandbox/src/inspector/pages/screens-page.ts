import { parseCoordinates } from '@screen-advertising/core/forms';
import { type Html, select } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { thumbnailPath } from '../../routes/screens.ts';
import type { StoredScreen } from '../../state/stored-records.ts';
import { cityMap, type NearScreen, placeMap, screensNear } from '../parts/city-map.ts';
import { badge } from '../parts/values.ts';
import type { InspectorPage } from '../view.ts';

const perPage = 24;
const path = '/inspector/screens';

export const screensPage: InspectorPage = {
  path,
  title: 'Screens',
  intro: 'All screens, including a few that cannot be booked.',
  content({ sandbox, url }) {
    const all = sandbox.screens.list();
    const given = { city: '', near: '', radius_km: '', ...Object.fromEntries(url.searchParams) };
    const { city, near } = given;
    const radiusKm = Math.max(0.1, Number(given.radius_km) || 5);
    const inCity = all.filter((screen) => city === '' || screen.city === city);
    const place = near && parseCoordinates(near);
    const found = typeof place === 'object' ? screensNear(inCity, place, radiusKm) : undefined;
    const shown: Shown[] = found ?? inCity.map((screen) => ({ screen }));
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    const page = Math.min(Math.max(1, Number(url.searchParams.get('page')) || 1), pages);
    const cards = shown.slice((page - 1) * perPage, page * perPage).map(card);
    return html`<div class="split">
<div><div class="map">${found ? placeMap(found, radiusKm) : cityMap(all, city)}</div>
${filter(all, given, shown.length)}
${near && !found ? html`<p class="empty" role="alert">Near ${place}.</p>` : ''}</div>
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
${select({ name: 'city', label: 'City', options, chosen: city })}
<div><label for="near">Near</label>
<input id="near" name="near" value="${near}" placeholder="52.5200, 13.4050"></div>
<div><label for="radius_km">Radius in Kilometers</label>
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
<p><b>${price}</b> per day, ${screen.ad_sov_pct}% of ad time ${screen.bookable ? '' : badge('not bookable')}</p>
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
