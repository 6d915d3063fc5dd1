import { htmlTable } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { listEventRows } from '../log/events.ts';
import {
  type ActivityRangeName,
  type ActivitySlot,
  activityRanges,
  readActivity,
} from '../operate/hourly-counts.ts';
import { countStates } from '../operate/metrics.ts';
import { listSubscriptionRows } from '../subscribe/records.ts';
import { eventTable } from './events-page.ts';
import { queryParameter, searchField, sourceNames } from './forms.ts';
import { setUpPath } from './set-up-page.ts';
import { subscriptionTable } from './subscription-table.ts';
import { copyableValue, factList } from './values.ts';
import type { Html, ListPage, PageInput } from './view.ts';

const newest = 10;
const maxSubscriptions = 20;
/** Counting stops here: a dead list can grow for years. */
const maxCounted = 1_000;

export const overviewPage: ListPage = {
  path: '/',
  title: 'Overview',
  intro: 'Events from the service, and where they were delivered. Times are in UTC.',
  async content(view) {
    const { context } = view;
    const [tiles, plot, sources, subscriptions, events] = await Promise.all([
      problemTiles(view),
      activity(view),
      sourceNames(context),
      listSubscriptionRows(context, { limit: maxSubscriptions }),
      listEventRows(context, { limit: newest }),
    ]);
    return html`<form method="get" action="/operator/events" class="fields" role="search">
${searchField()}
<button>Search</button>
</form>
${tiles}
${plot}
<section>
<h2>Subscriptions</h2>
${await subscriptionTable(context, subscriptions)}
</section>
<section>
<h2>Addresses to register with the service</h2>
${ingressAddresses(view, sources)}
</section>
<section>
<h2>Latest events</h2>
${eventTable(events, html`No events yet. <a href="${setUpPath}">Set up the relay.</a>`)}
</section>`;
  },
};

async function activity({ context, url }: PageInput): Promise<Html> {
  const shown: ActivityRangeName = queryParameter(url, 'range') === 'days' ? 'days' : 'hours';
  const links = Object.entries(activityRanges).map(([name, { label }]) =>
    name === shown ? html`<b>${label}</b> ` : html`<a href="/?range=${name}">${label}</a> `,
  );
  return html`<section>
<h2>Activity</h2>
<p class="row">${links}</p>
${activityPlot(shown, await readActivity(context, shown))}
</section>`;
}

async function problemTiles({ context }: PageInput): Promise<Html> {
  const { dead, waiting, pending, off } = await countStates(context.pool, maxCounted + 1);
  const tiles = [
    ['Dead deliveries', '/operator/deliveries?state=dead', dead],
    ['Waiting for a first attempt', '/operator/subscriptions', waiting],
    ['Pending deliveries', '/operator/deliveries?state=pending', pending],
    ['Subscriptions off', '/operator/subscriptions?state=off', off],
  ] as const;
  return html`<ul class="tiles" aria-label="What may need your attention">
${tiles.map(([label, path, count]) => html`<li><a href="${path}"><b>${shown(count)}</b> ${label}</a></li>\n`)}
</ul>`;
}

function shown(count: number): string {
  return count > maxCounted ? `over ${maxCounted.toLocaleString('en-US')}` : String(count);
}

function ingressAddresses({ relayUrl }: PageInput, sources: readonly string[]): Html {
  if (sources.length === 0) {
    return html`<p class="empty">No sources yet. <a href="/operator/sources">Add one</a> with the signing secret of your access.</p>`;
  }
  return factList(
    sources.map((name) => [
      name,
      copyableValue(`${relayUrl}/in/${name}`, `the address of ${name}`),
    ]),
  );
}

const series = [
  ['events', 'Events'],
  ['deliveries', 'Deliveries'],
  ['failures', 'Failed attempts'],
] as const;

/** The drawing stretches to the page. */
const width = 960;
const height = 130;
const gap = 0.25;
/** How many hours or days have one label. */
const labelEvery = { hours: 4, days: 2 } as const;

/** A bar for each number of each hour or day, and the same numbers as a table. */
function activityPlot(name: ActivityRangeName, slots: readonly ActivitySlot[]): Html {
  const most = Math.max(1, ...slots.flatMap((slot) => series.map(([key]) => slot[key])));
  const slotWidth = width / slots.length;
  const barWidth = (slotWidth * (1 - gap)) / series.length;
  const bars = slots.flatMap((slot, nth) =>
    series.map(([key], place) => {
      const high = (slot[key] / most) * height;
      const x = nth * slotWidth + place * barWidth;
      return html`<rect class="${key}" x="${fixed(x)}" y="${fixed(height - high)}" width="${fixed(barWidth)}" height="${fixed(high)}"/>`;
    }),
  );
  const labels = slots
    .filter((_, nth) => nth % labelEvery[name] === 0)
    .map(({ at }) => html`<span>${label(name, at)}</span>`);
  const totals = series.map(
    ([key, title]) =>
      [title, slots.reduce((sum, slot) => sum + slot[key], 0).toLocaleString('en-US')] as const,
  );
  const summary = totals.map(([title, total]) => `${title}: ${total}`).join('. ');
  return html`<div class="plot card">
<ul class="legend">${series.map(([key], nth) => html`<li class="${key}"><b>${totals[nth]?.[1]}</b> ${totals[nth]?.[0]}</li>`)}</ul>
<div class="axis" aria-hidden="true"><span>${most.toLocaleString('en-US')}</span></div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="plot-title plot-desc">
<title id="plot-title">Events, deliveries, and failed attempts</title>
<desc id="plot-desc">${activityRanges[name].label}. ${summary}. Most in one bar: ${most}.</desc>
${bars}</svg>
<div class="axis" aria-hidden="true">${labels}</div>
<details id="plot-table"><summary>Show as a table</summary>
${htmlTable({
  name: 'Events, deliveries, and failed attempts',
  columns: [name === 'hours' ? 'Hour (UTC)' : 'Day (UTC)', ...series.map(([, title]) => title)],
  rows: slots.map((slot) => [
    new Date(slot.at)
      .toISOString()
      .slice(0, name === 'hours' ? 16 : 10)
      .replace('T', ' '),
    ...series.map(([key]) => slot[key]),
  ]),
  empty: '',
})}
</details>
</div>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

/** `14:00`, or `03-01`. */
function label(name: ActivityRangeName, at: number): string {
  const iso = new Date(at).toISOString();
  return name === 'hours' ? iso.slice(11, 16) : iso.slice(5, 10);
}
