import { html } from 'hono/html';
import { publicId } from '../../database/uuid.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select } from '../parts/forms.ts';
import { pager, pageSize } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { badge, moment, reasonText } from '../parts/values.ts';
import { listSubscriptions, type SubscriptionRow } from '../queries/subscription-rows.ts';
import type { Html, ListPage } from '../view.ts';

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
${table({
  name: 'Subscriptions',
  columns: ['Subscription', 'State', 'Events', 'Target', 'Token', 'Source'],
  rows: shown.map(cells),
  empty: 'No subscriptions. Create a token, and paste its connector key into a connector.',
})}
${pager({ url, next: last && String(last.number), firstLabel: 'Newest', nextLabel: 'Older' })}`;
  },
};

function cells(row: SubscriptionRow) {
  const id = publicId('sub', row.id);
  return [
    html`<a href="/operator/subscriptions/${id}">${row.name ?? id}</a>`,
    stateOf(row),
    html`<span class="wraps">${row.events.join(', ')}</span>`,
    html`<code class="wraps">${row.target_url}</code>`,
    row.token,
    row.source,
  ];
}

/** Includes the reason, in words. */
export function stateOf({ state, off_reason, failing_since }: SubscriptionRow): Html {
  if (state === 'off') return html`${badge('off')} ${reasonText(off_reason)}`;
  if (failing_since === null) return badge('active');
  return html`${badge('active')} failing since ${moment(failing_since)}`;
}
