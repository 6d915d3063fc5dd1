import { html } from 'hono/html';
import { listEventRows } from '../../../log/events.ts';
import { listSubscriptionRows } from '../../../subscribe/records.ts';
import { countStates } from '../../watch/database-figures.ts';
import { type RangeName, ranges, readActivity } from '../../watch/hourly-counts.ts';
import { activityPlot } from '../parts/activity-plot.ts';
import { eventTable } from '../parts/event-table.ts';
import { queryOf, searchField, sourceNames } from '../parts/filters.ts';
import { subscriptionTable } from '../parts/subscription-table.ts';
import { copyable, facts } from '../parts/values.ts';
import type { Html, ListPage, View } from '../view.ts';
import { setUpPath } from './set-up-page.ts';

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

async function activity({ context, url }: View): Promise<Html> {
  const shown: RangeName = queryOf(url, 'range') === 'days' ? 'days' : 'hours';
  const links = Object.entries(ranges).map(([name, { label }]) =>
    name === shown ? html`<b>${label}</b> ` : html`<a href="/?range=${name}">${label}</a> `,
  );
  return html`<section>
<h2>Activity</h2>
<p class="row">${links}</p>
${activityPlot(shown, await readActivity(context, shown))}
</section>`;
}

async function problemTiles({ context }: View): Promise<Html> {
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

function ingressAddresses({ relayUrl }: View, sources: readonly string[]): Html {
  if (sources.length === 0) {
    return html`<p class="empty">No sources yet. <a href="/operator/sources">Add one</a> with the signing secret of your access.</p>`;
  }
  return facts(
    sources.map((name) => [name, copyable(`${relayUrl}/in/${name}`, `the address of ${name}`)]),
  );
}
