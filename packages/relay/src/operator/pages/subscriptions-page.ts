import { html } from 'hono/html';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select } from '../parts/forms.ts';
import { pager, pageSize } from '../parts/pager.ts';
import { subscriptionTable } from '../parts/subscription-table.ts';
import { listSubscriptions } from '../queries/subscription-rows.ts';
import type { ListPage } from '../view.ts';

export const subscriptionsPage: ListPage = {
  path: '/operator/subscriptions',
  title: 'Subscriptions',
  intro: 'Which targets get which events. Connectors subscribe automatically with a connector key.',
  async content({ context, url }) {
    const rows = await listSubscriptions(context, {
      source: queryOf(url, 'source'),
      state: queryOf(url, 'state') === 'off' ? 'off' : undefined,
      after: Number(/^\d{1,9}$/.exec(queryOf(url, 'after') ?? '')?.[0]) || undefined,
      limit: pageSize + 1,
    });
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    const fields = html`${await sourceSelect(context, url)}
${select({
  name: 'state',
  label: 'State',
  options: [
    ['', 'All'],
    ['off', 'Off'],
  ],
  chosen: queryOf(url, 'state'),
})}`;
    return html`${filterForm(url, fields)}
${await subscriptionTable(context, shown)}
${pager({ url, next: last && String(last.number), firstLabel: 'Newest', nextLabel: 'Older' })}`;
  },
};
