import { html } from 'hono/html';
import { type DeliveryKey, deliveryId, readDeliveryId } from '../../database/delivery-id.ts';
import { findSubscription } from '../find-subscription.ts';
import { deliveryRecords } from '../parts/delivery-details.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select } from '../parts/forms.ts';
import { pager, pageSize } from '../parts/pager.ts';
import {
  type DeliveryRow,
  listDeliveries,
  listPending,
  type PendingKey,
} from '../queries/delivery-rows.ts';
import type { Html, ListPage, View } from '../view.ts';

export const deliveriesPage: ListPage = {
  path: '/operator/deliveries',
  title: 'Deliveries',
  intro: 'Each delivery sends one event to one subscription. The newest events are at the top.',
  content: (view) =>
    queryOf(view.url, 'state') === 'pending' ? pendingContent(view) : allContent(view, undefined),
};

export const deadPage: ListPage = {
  path: '/operator/dead',
  title: 'Dead list',
  intro:
    'Deliveries that failed for good, and why. Replay one here, or all of a subscription on its page.',
  content: (view) => allContent(view, 'dead'),
};

async function allContent(view: View, state: 'dead' | undefined): Promise<Html> {
  const { context, url } = view;
  const subscription = await subscriptionOf(view);
  const { rows, next } = await listDeliveries(context, {
    state,
    source: queryOf(url, 'source'),
    event: undefined,
    subscription,
    after: readDeliveryId(queryOf(url, 'after') ?? ''),
    limit: pageSize,
  });
  const position = next && deliveryId(next);
  const isSearched = rows.length === 0 && position !== undefined;
  const none = state === 'dead' ? 'No dead deliveries.' : 'No deliveries.';
  return html`${filterForm(url, await fieldsOf(view, state !== 'dead'))}
${deliveryRecords(url, rows, isSearched ? 'None among the newest. There may be older ones.' : none)}
${pager({ url, next: position, firstLabel: 'Newest', nextLabel: 'Older' })}`;
}

async function pendingContent(view: View): Promise<Html> {
  const { context, url } = view;
  const rows = await listPending(context, {
    source: queryOf(url, 'source'),
    subscription: await subscriptionOf(view),
    after: readPendingKey(queryOf(url, 'after') ?? ''),
    limit: pageSize + 1,
  });
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return html`${filterForm(url, await fieldsOf(view, true))}
${deliveryRecords(url, shown, 'No deliveries are waiting.')}
${pager({ url, next: last && pendingKey(last), firstLabel: 'Soonest', nextLabel: 'Later' })}`;
}

async function fieldsOf({ context, url }: View, withState: boolean): Promise<Html> {
  const states = [
    ['', 'All, newest first'],
    ['pending', 'Waiting, soonest attempt first'],
  ] as const;
  const chosen = queryOf(url, 'state');
  return html`${await sourceSelect(context, url)}
${withState ? select({ name: 'state', label: 'State', options: states, chosen }) : ''}
<div><label for="subscription">Subscription ID</label>
<input id="subscription" name="subscription" value="${queryOf(url, 'subscription') ?? ''}" placeholder="sub_..." autocomplete="off"></div>`;
}

/** An unknown subscription becomes number 0, which does not exist. */
async function subscriptionOf({ context, url }: View): Promise<number | undefined> {
  const id = queryOf(url, 'subscription');
  return id === undefined ? undefined : ((await findSubscription(context, id))?.number ?? 0);
}

function pendingKey({ next_at, event_id, subscription_number }: DeliveryRow): string {
  const key: DeliveryKey = { event: event_id, subscription: subscription_number };
  return `${next_at?.getTime() ?? 0}_${deliveryId(key)}`;
}

function readPendingKey(text: string): PendingKey | undefined {
  const [, ms, id = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const key = readDeliveryId(id);
  return key && { ...key, at: new Date(Number(ms)) };
}
