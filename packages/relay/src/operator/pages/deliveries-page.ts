import { html } from 'hono/html';
import { readDeliveryId } from '../../database/delivery-id.ts';
import type { DeliveryState } from '../../database/tables.ts';
import { findSubscriptions, subscriptionNames } from '../find-subscription.ts';
import { deliveryRecords, idOf } from '../parts/delivery-details.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select, suggested } from '../parts/forms.ts';
import { onePage, pager, rowsToRead } from '../parts/pager.ts';
import { listDeliveries, listPending, type PendingKey } from '../queries/delivery-rows.ts';
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
  ['ignored', 'Ignored by the target'],
  ['pending', 'Pending, soonest attempt first'],
  ['dead', 'Dead'],
] as const;

const retryChosen = { action: 'retry-deliveries', label: 'Retry chosen deliveries' } as const;
const replayChosen = { action: 'replay-deliveries', label: 'Replay chosen deliveries' } as const;

async function allContent(
  view: View,
  state: Exclude<DeliveryState, 'pending'> | undefined,
): Promise<Html> {
  const { context, url } = view;
  const rows = await listDeliveries(context, {
    state,
    source: queryOf(url, 'source'),
    subscriptions: await subscriptionsOf(view),
    after: readDeliveryId(queryOf(url, 'after') ?? ''),
    limit: rowsToRead,
  });
  const { shown, next } = onePage(rows, idOf);
  const none = state === 'dead' ? 'No dead deliveries.' : 'No deliveries.';
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(url, shown, { empty: none, several: state === 'dead' ? replayChosen : undefined })}
${pager({ url, next })}`;
}

async function pendingContent(view: View): Promise<Html> {
  const { context, url } = view;
  const rows = await listPending(context, {
    source: queryOf(url, 'source'),
    subscriptions: await subscriptionsOf(view),
    after: readPendingKey(queryOf(url, 'after') ?? ''),
    limit: rowsToRead,
  });
  const { shown, next } = onePage(rows, (row) => `${row.next_at?.getTime() ?? 0}_${idOf(row)}`);
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(url, shown, { empty: 'No pending deliveries.', several: retryChosen })}
${pager({ url, next, firstLabel: 'Soonest', nextLabel: 'Later' })}`;
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

function readPendingKey(text: string): PendingKey | undefined {
  const [, ms, id = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const key = readDeliveryId(id);
  return key && { ...key, at: new Date(Number(ms)) };
}
