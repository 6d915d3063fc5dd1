import { table } from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import type { RelayContext } from '../../context.ts';
import { publicId } from '../../database/ids.ts';
import type { SubscriptionRow } from '../../records/subscription-rows.ts';
import { counted, type DeliveryRate, deliveryRates } from '../queries/delivery-rates.ts';
import type { Html } from '../view.ts';
import { badge, moment, reasonText, shownName } from './values.ts';

export async function subscriptionTable(
  context: RelayContext,
  rows: readonly SubscriptionRow[],
): Promise<Html> {
  const rates = await deliveryRates(
    context,
    rows.map(({ number }) => number),
  );
  return table({
    name: 'Subscriptions',
    columns: [
      'Subscription',
      'State',
      deliveredLabel,
      'p95',
      'Events',
      'Target',
      'Token',
      'Source',
    ],
    rows: rows.map((row) => cells(row, rates.get(row.number))),
    ids: rows.map(({ id }) => publicId('sub', id)),
    empty: 'No subscriptions. Create a token, and paste its connector key into a connector.',
  });
}

function cells(row: SubscriptionRow, rate: DeliveryRate | undefined) {
  const id = publicId('sub', row.id);
  return [
    html`<a class="wraps" href="/operator/subscriptions/${id}">${shownName(row.name) ?? id}</a>`,
    html`<span class="wraps">${stateOf(row)}</span>`,
    successOf(rate),
    p95Of(rate),
    html`<span class="wraps">${row.events.join(', ')}</span>`,
    html`<code class="wraps">${row.target_url}</code>`,
    row.token,
    row.source,
  ];
}

/** What the rate and the response time count. */
export const deliveredLabel: string = `Delivered of last ${counted}`;

/** For example `98 % of 100`, or `0 % of 4, 4 ignored`. */
export function successOf(rate: DeliveryRate | undefined): Html | string {
  if (!rate) return html`<span class="quiet">-</span>`;
  const ignored = rate.ignored > 0 ? `, ${rate.ignored} ignored` : '';
  return `${Math.floor((rate.delivered / rate.attempted) * 100)} % of ${rate.attempted}${ignored}`;
}

export function p95Of(rate: DeliveryRate | undefined): Html | string {
  return rate ? `${rate.p95.toLocaleString('en-US')} ms` : html`<span class="quiet">-</span>`;
}

/** Includes the reason, in words. */
export function stateOf({ state, off_reason, failing_since, twin_id }: SubscriptionRow): Html {
  if (state === 'off') return html`${badge('off')} ${reasonText(off_reason)}`;
  const now = failing_since
    ? html`${badge('pending', 'failing')} since ${moment(failing_since)}`
    : badge('active');
  return html`${now}${twin_id === null ? '' : ' also at another address'}`;
}
