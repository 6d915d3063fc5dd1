import { html } from 'hono/html';
import { sql } from 'kysely';
import { onePage } from '../../../base/contract.ts';
import { readSubscriptionId } from '../../../base/ids.ts';
import type { DeliveryState } from '../../../base/stored-values.ts';
import type { RelayContext } from '../../../log/context.ts';
import {
  type DeliveryRow,
  keyOf,
  listDeliveryRows,
  listPending,
  readKey,
} from '../../../log/deliveries.ts';
import { isSubscribed } from '../../../log/wants.ts';
import { normalizeTarget } from '../../../outbound/targets.ts';
import { deliveryRecords } from '../parts/delivery-details.ts';
import {
  chosenPeriod,
  chosenSource,
  filterForm,
  periodFields,
  queryOf,
  sourceSelect,
} from '../parts/filters.ts';
import { select, suggested } from '../parts/forms.ts';
import { pager, pageSize, rowsToRead } from '../parts/pager.ts';
import type { Html, ListPage, View } from '../view.ts';

export const deliveriesPage: ListPage = {
  path: '/operator/deliveries',
  title: 'Deliveries',
  intro: 'Each delivery sends one event to one subscription. The newest events are at the top.',
  content(view) {
    const state = states.find(([name]) => name !== '' && name === queryOf(view.url, 'state'))?.[0];
    return contentOf(view, state || undefined);
  },
};

const states = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['ignored', 'Ignored by the target'],
  ['pending', 'Pending, soonest attempt first'],
  ['dead', 'Dead: failed for good'],
] as const;

const retryChosen = { action: 'subscriptions.retry', label: 'Retry chosen deliveries' } as const;
const redeliverChosen = {
  action: 'subscriptions.redeliver',
  label: 'Redeliver chosen deliveries',
} as const;

async function contentOf(view: View, state: DeliveryState | undefined): Promise<Html> {
  const { context, url } = view;
  const isPending = state === 'pending';
  const after = queryOf(url, 'after') ?? '';
  const filter = {
    source: await chosenSource(context, url),
    subscriptions: await subscriptionsOf(view),
    ...chosenPeriod(url),
    limit: rowsToRead,
  };
  const rows = isPending
    ? await listPending(context, { ...filter, after: readPendingKey(after) })
    : await listDeliveryRows(context, { ...filter, state, after: readKey(after) });
  const { shown, next } = onePage(rows, pageSize, isPending ? pendingKeyOf : keyOf);
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(view, shown, {
  empty: state === 'dead' || isPending ? `No ${state} deliveries.` : 'No deliveries.',
  several: isPending ? retryChosen : state === 'dead' ? redeliverChosen : undefined,
})}
${pager({ url, next, ...(isPending && { firstLabel: 'Soonest', nextLabel: 'Later' }) })}`;
}

async function fieldsOf({ context, url }: View): Promise<Html> {
  return html`${await sourceSelect(context, url)}
${select({ name: 'state', label: 'State', options: states, chosen: queryOf(url, 'state') })}
${suggested({
  name: 'subscription',
  label: 'Subscription',
  value: queryOf(url, 'subscription'),
  placeholder: 'name, target, or ID',
  suggestions: await subscriptionNames(context),
})}
${periodFields(url)}`;
}

async function subscriptionsOf({ context, url }: View): Promise<readonly number[] | undefined> {
  const text = queryOf(url, 'subscription');
  return text === undefined ? undefined : findSubscriptions(context, text);
}

const most = 200;

/** The numbers of the subscriptions with this ID, target, or name, in any case. */
async function findSubscriptions({ db }: RelayContext, text: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('number')
    .where(isSubscribed)
    .where(({ eb, or }) =>
      or([
        eb('id', '=', readSubscriptionId(text)?.id ?? null),
        eb('target_url', '=', normalizeTarget(text)),
        sql<boolean>`lower(name) = lower(${text})`,
      ]),
    )
    .limit(most)
    .execute();
  return rows.map(({ number }) => number);
}

async function subscriptionNames({ db }: RelayContext): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('name')
    .where(isSubscribed)
    .where('name', 'is not', null)
    .orderBy('number', 'desc')
    .limit(most)
    .execute();
  return [...new Set(rows.flatMap(({ name }) => name ?? []))];
}

function pendingKeyOf(row: DeliveryRow): string {
  return `${row.next_at?.getTime() ?? 0}_${keyOf(row)}`;
}

function readPendingKey(text: string) {
  const [, ms, rest = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const key = readKey(rest);
  return key && { ...key, at: new Date(Number(ms)) };
}
