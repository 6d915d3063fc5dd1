import { html } from 'hono/html';
import { onePage, readNumber } from '../../../log/page.ts';
import { listSubscriptionRows } from '../../../subscribe/records/subscription-rows.ts';
import { chosenSource, filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select } from '../parts/forms.ts';
import { pager, pageSize, rowsToRead } from '../parts/pager.ts';
import { subscriptionTable } from '../parts/subscription-table.ts';
import type { ListPage } from '../view.ts';

export const subscriptionsPage: ListPage = {
  path: '/operator/subscriptions',
  title: 'Subscriptions',
  intro: 'Which targets get which events. Connectors subscribe automatically with a connector key.',
  async content({ context, url }) {
    const rows = await listSubscriptionRows(context, {
      source: await chosenSource(context, url),
      state: queryOf(url, 'state') === 'off' ? 'off' : undefined,
      after: readNumber(queryOf(url, 'after') ?? ''),
      limit: rowsToRead,
    });
    const { shown, next } = onePage(rows, pageSize, ({ number }) => String(number));
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
${pager({ url, next })}`;
  },
};
