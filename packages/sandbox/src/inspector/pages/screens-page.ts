import { html, raw } from 'hono/html';
import { thumbnailPath } from '../../routes/screens.ts';
import type { StoredScreen } from '../../state/stored-records.ts';
import { cityMap } from '../parts/city-map.ts';
import { badge } from '../parts/values.ts';
import type { Html, InspectorPage } from '../view.ts';

const perPage = 24;
const path = '/inspector/screens';

export const screensPage: InspectorPage = {
  path,
  title: 'Screens',
  intro: 'All screens, including a few that cannot be booked.',
  content({ sandbox, url }) {
    const all = sandbox.screens.list();
    const city = url.searchParams.get('city') ?? '';
    const shown = all.filter((screen) => city === '' || screen.city === city);
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    const page = Math.min(Math.max(1, Number(url.searchParams.get('page')) || 1), pages);
    const cards = shown.slice((page - 1) * perPage, page * perPage).map(card);
    return html`<div class="split">
<div><div class="map">${cityMap(all, city)}</div>
${filter(all, city, shown.length)}</div>
<div><ul class="screens">${cards}</ul>
${pager(city, page, pages)}</div>
</div>`;
  },
};

function filter(all: readonly StoredScreen[], city: string, count: number): Html {
  const cities = [...new Set(all.map((screen) => screen.city))].sort();
  const options = cities.map(
    (name) => html`<option ${name === city ? raw('selected') : ''}>${name}</option>`,
  );
  return html`<form class="fields" method="get" action="${path}">
<div><label for="city">City</label>
<select id="city" name="city"><option value="">All cities</option>${options}</select></div>
<button>Show</button>
<p class="quiet">${count} screens</p>
</form>`;
}

function card(screen: StoredScreen): Html {
  const price = (screen.price_per_day_cents / 100).toFixed(2);
  return html`<li class="card screen">
<img src="${thumbnailPath}/${encodeURIComponent(screen.id)}.svg" alt="" loading="lazy" width="480" height="320">
<h2>${screen.name}</h2>
<p>${screen.address}, ${screen.country}</p>
<p class="quiet">${screen.venue_type.replaceAll('_', ' ')}, ${screen.orientation}, ${screen.resolution_width} × ${screen.resolution_height}</p>
<p><b>${price}</b> per day, ${screen.ad_sov_pct}% of ad time ${screen.bookable ? '' : badge('not bookable')}</p>
<p><code>${screen.id}</code></p>
</li>\n`;
}

function pager(city: string, page: number, pages: number): Html {
  const link = (label: string, to: number) => {
    const query = new URLSearchParams({ ...(city && { city }), page: String(to) });
    return to < 1 || to > pages
      ? html`<span class="quiet">${label}</span>`
      : html`<a href="${path}?${query.toString()}">${label}</a>`;
  };
  return html`<nav class="pager" aria-label="Pages of screens">
${link('Previous', page - 1)} <span>Page ${page} of ${pages}</span> ${link('Next', page + 1)}
</nav>`;
}
