import { html } from 'hono/html';
import { eventTable } from '../parts/event-table.ts';
import { sourceNames } from '../parts/filters.ts';
import { facts } from '../parts/values.ts';
import { listEvents } from '../queries/event-rows.ts';
import { countProblems } from '../queries/problem-counts.ts';
import type { Html, ListPage, View } from '../view.ts';

const newest = 10;

export const overviewPage: ListPage = {
  path: '/',
  title: 'Overview',
  intro: 'Events from the service, and where they were delivered. Times are in UTC.',
  async content(view) {
    const { context } = view;
    const [tiles, sources, events] = await Promise.all([
      problemTiles(view),
      sourceNames(context),
      listEvents(context, {
        source: undefined,
        type: undefined,
        after: undefined,
        limit: newest,
      }),
    ]);
    return html`${tiles}
<section>
<h2>Addresses to register with the service</h2>
${ingressAddresses(view, sources)}
</section>
<section>
<h2>Latest events</h2>
${eventTable(events, 'No events yet.')}
</section>`;
  },
};

async function problemTiles({ context }: View): Promise<Html> {
  const { dead, pending, off } = await countProblems(context);
  const tiles = [
    ['Dead deliveries', '/operator/dead', dead],
    ['Deliveries waiting', '/operator/deliveries?state=pending', pending],
    ['Subscriptions off', '/operator/subscriptions?state=off', off],
  ] as const;
  return html`<ul class="tiles" aria-label="What may need your attention">
${tiles.map(([label, path, count]) => html`<li><a href="${path}"><b>${count}</b> ${label}</a></li>\n`)}
</ul>`;
}

function ingressAddresses({ relayUrl }: View, sources: readonly string[]): Html {
  if (sources.length === 0) {
    return html`<p class="empty">No sources yet. <a href="/operator/sources">Add one</a> with the signing secret of your access.</p>`;
  }
  return facts(
    sources.map((name) => [name, html`<code class="whole">${relayUrl}/in/${name}</code>`]),
  );
}
