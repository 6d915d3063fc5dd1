import { table } from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import { publicId } from '../../database/ids.ts';
import type { SubscriptionRow } from '../../records/subscription-rows.ts';
import type { Html } from '../view.ts';
import { badge, moment, reasonText, shownName } from './values.ts';

export function subscriptionTable(rows: readonly SubscriptionRow[]): Html {
  return table({
    name: 'Subscriptions',
    columns: ['Subscription', 'State', 'Events', 'Target', 'Token', 'Source'],
    rows: rows.map(cells),
    ids: rows.map(({ id }) => publicId('sub', id)),
    empty: 'No subscriptions. Create a token, and paste its connector key into a connector.',
  });
}

function cells(row: SubscriptionRow) {
  const id = publicId('sub', row.id);
  return [
    html`<a class="wraps" href="/operator/subscriptions/${id}">${shownName(row.name) ?? id}</a>`,
    html`<span class="wraps">${stateOf(row)}</span>`,
    html`<span class="wraps">${row.events.join(', ')}</span>`,
    html`<code class="wraps">${row.target_url}</code>`,
    row.token,
    row.source,
  ];
}

/** Includes the reason, in words. */
export function stateOf({ state, off_reason, failing_since, twin_id }: SubscriptionRow): Html {
  if (state === 'off') return html`${badge('off')} ${reasonText(off_reason)}`;
  const now = failing_since
    ? html`${badge('pending', 'failing')} since ${moment(failing_since)}`
    : badge('active');
  return html`${now}${twin_id === null ? '' : ' also at another address'}`;
}
