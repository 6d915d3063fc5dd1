import { html } from 'hono/html';
import { type DeliveryKey, deliveryId, readDeliveryId } from '../../database/delivery-id.ts';
import { findSubscriptions, subscriptionNames } from '../find-subscription.ts';
import { deliveryRecords } from '../parts/delivery-details.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select, suggested } from '../parts/forms.ts';
import { pager, pageSize } from '../parts/pager.ts';
import {
  type DeliveryRow,
  listDeliveries,
  listPending,
  type PendingKey,
} from '../queries/delivery-rows.ts';
import type { Html, ListPage, View } from '../view.ts';

const deadPath = '/operator/dead';

export const deliveriesPage: ListPage = {
  path: '/operator/deliveries',
  title: 'Deliveries',
  intro: 'Each delivery sends one event to one subscription. The newest events are at the top.',
  content(view) {
    const state = states.find(([name]) => name !== '' && name === queryOf(view.url, 'state'))?.[0];
    return state === 'pending' ? pendingContent(view) : allContent(view, state || undefined);
  },
};

export const deadPage: ListPage = {
  path: deadPath,
  title: 'Dead list',
  intro: 'What failed for good, and why. Replay it here, or all of a subscription on its page.',
  content: (view) => allContent(view, 'dead'),
};

const states = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['pending', 'Pending, soonest attempt first'],
  ['dead', 'Dead'],
] as const;

const retryChosen = { action: 'retry-deliveries', label: 'Retry chosen deliveries' } as const;
const replayChosen = { action: 'replay-deliveries', label: 'Replay chosen deliveries' } as const;

async function allContent(view: View, state: 'delivered' | 'dead' | undefined): Promise<Html> {
  const { context, url } = view;
  const { rows, next } = await listDeliveries(context, {
    state,
    source: queryOf(url, 'source'),
    event: undefined,
    subscriptions: await subscriptionsOf(view),
    after: readDeliveryId(queryOf(url, 'after') ?? ''),
    limit: pageSize,
  });
  const position = next && deliveryId(next);
  const none = state === 'dead' ? 'No dead deliveries.' : 'No deliveries.';
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(url, rows, { empty: none, several: state === 'dead' ? replayChosen : undefined })}
${pager({ url, next: position, firstLabel: 'Newest', nextLabel: 'Older' })}`;
}

async function pendingContent(view: View): Promise<Html> {
  const { context, url } = view;
  const rows = await listPending(context, {
    source: queryOf(url, 'source'),
    subscriptions: await subscriptionsOf(view),
    after: readPendingKey(queryOf(url, 'after') ?? ''),
    limit: pageSize + 1,
  });
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(url, shown, { empty: 'No pending deliveries.', several: retryChosen })}
${pager({ url, next: last && pendingKey(last), firstLabel: 'Soonest', nextLabel: 'Later' })}`;
}

async function fieldsOf({ context, url }: View): Promise<Html> {
  return html`${await sourceSelect(context, url)}
${url.pathname === deadPath ? '' : select({ name: 'state', label: 'State', options: states, chosen: queryOf(url, 'state') })}
${suggested({
  name: 'subscription',
  label: 'Subscription',
  value: queryOf(url, 'subscription'),
  placeholder: 'name, target, or ID',
  suggestions: await subscriptionNames(context),
})}`;
}

async function subscriptionsOf({ context, url }: View): Promise<readonly number[] | undefined> {
  const text = queryOf(url, 'subscription');
  return text === undefined ? undefined : findSubscriptions(context, text);
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
