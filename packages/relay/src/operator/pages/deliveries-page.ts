import { html } from 'hono/html';
import type { DeliveryState } from '../../database/tables.ts';
import {
  type DeliveryRow,
  listDeliveryRows,
  listPending,
  type RowKey,
} from '../../records/delivery-rows.ts';
import { findSubscriptions, subscriptionNames } from '../find-subscription.ts';
import { deliveryRecords } from '../parts/delivery-details.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { select, suggested } from '../parts/forms.ts';
import { onePage, pager, rowsToRead } from '../parts/pager.ts';
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
    source: await sourceOf(view),
    subscriptions: await subscriptionsOf(view),
    after: readKey(queryOf(url, 'after') ?? ''),
    limit: rowsToRead,
  });
  const { shown, next } = onePage(rows, keyOf);
  const none = state === 'dead' ? 'No dead deliveries.' : 'No deliveries.';
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(url, shown, { empty: none, several: state === 'dead' ? replayChosen : undefined })}
${pager({ url, next })}`;
}

async function pendingContent(view: View): Promise<Html> {
  const { context, url } = view;
  const rows = await listPending(context, {
    source: await sourceOf(view),
    subscriptions: await subscriptionsOf(view),
    after: readPendingKey(queryOf(url, 'after') ?? ''),
    limit: rowsToRead,
  });
  const { shown, next } = onePage(rows, (row) => `${row.next_at?.getTime() ?? 0}_${keyOf(row)}`);
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

/** The number of the chosen source; 0, which none has, for an unknown name. */
async function sourceOf({ context: { db }, url }: View): Promise<number | undefined> {
  const name = queryOf(url, 'source');
  if (name === undefined) return undefined;
  const row = await db
    .selectFrom('source')
    .select('number')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.number ?? 0;
}

export function keyOf({ position, subscription_number }: DeliveryRow): string {
  return `${position}_${subscription_number}`;
}

export function readKey(text: string): RowKey | undefined {
  const [, position, subscription] = /^(\d{1,18})_(\d{1,9})$/.exec(text) ?? [];
  return position === undefined ? undefined : { position, subscription: Number(subscription) };
}

function readPendingKey(text: string) {
  const [, ms, rest = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const key = readKey(rest);
  return key && { ...key, at: new Date(Number(ms)) };
}
