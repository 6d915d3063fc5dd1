import { html } from 'hono/html';
import type { DeliveryState } from '../../database/tables.ts';
import { keyOf, listDeliveryRows, listPending, readKey } from '../../records/delivery-rows.ts';
import { onePage } from '../../records/page.ts';
import { findSubscriptions, subscriptionNames } from '../find-subscription.ts';
import { deliveryRecords } from '../parts/delivery-details.ts';
import { chosenSource, filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select, suggested } from '../parts/forms.ts';
import { pager, pageSize, rowsToRead } from '../parts/pager.ts';
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
  const rows = await listDeliveryRows(context, {
    state,
    source: await chosenSource(context, url),
    subscriptions: await subscriptionsOf(view),
    after: readKey(queryOf(url, 'after') ?? ''),
    limit: rowsToRead,
  });
  const { shown, next } = onePage(rows, pageSize, keyOf);
  const none = state === 'dead' ? 'No dead deliveries.' : 'No deliveries.';
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(url, shown, { empty: none, several: state === 'dead' ? replayChosen : undefined })}
${pager({ url, next })}`;
}

async function pendingContent(view: View): Promise<Html> {
  const { context, url } = view;
  const rows = await listPending(context, {
    source: await chosenSource(context, url),
    subscriptions: await subscriptionsOf(view),
    after: readPendingKey(queryOf(url, 'after') ?? ''),
    limit: rowsToRead,
  });
  const { shown, next } = onePage(
    rows,
    pageSize,
    (row) => `${row.next_at?.getTime() ?? 0}_${keyOf(row)}`,
  );
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

function readPendingKey(text: string) {
  const [, ms, rest = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const key = readKey(rest);
  return key && { ...key, at: new Date(Number(ms)) };
}
