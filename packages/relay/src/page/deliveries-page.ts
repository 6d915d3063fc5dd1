import { escapeInvisible } from '@screen-advertising/core/platform';
import { formatWebhookId } from '@screen-advertising/core/webhooks';
import { htmlTable } from '@screen-advertising/server-kit/pages';
import { html, raw } from 'hono/html';
import { sql } from 'kysely';
import { rowsOfPage } from '../base/contract.ts';
import { deliveryId, publicId, readSubscriptionId } from '../base/ids.ts';
import type { DeliveryState, ResponseRecord } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  deliveryRowKey,
  listDeliveryRows,
  listPendingDeliveries,
  readDeliveryRowKey,
} from '../log/deliveries.ts';
import { sqlIsSubscribed } from '../log/wants.ts';
import { normalizeTarget } from '../outbound/targets.ts';
import { subscriptionIdOf } from '../subscribe/records.ts';
import {
  actionButton,
  actionForm,
  chosenPeriod,
  chosenSource,
  filterForm,
  pager,
  pageSize,
  periodFields,
  queryParameter,
  rowsToRead,
  selectField,
  sourceSelect,
  suggestionField,
} from './forms.ts';
import {
  eventSummary,
  formatMoment,
  reasonText,
  shownName,
  stateBadge,
  timeWithAge,
} from './values.ts';
import type { Html, ListPage, PageInput } from './view.ts';

export const deliveriesPage: ListPage = {
  path: '/operator/deliveries',
  title: 'Deliveries',
  intro: 'Each delivery sends one event to one subscription. The newest events are at the top.',
  content(view) {
    const state = states.find(
      ([name]) => name !== '' && name === queryParameter(view.url, 'state'),
    )?.[0];
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

async function contentOf(view: PageInput, state: DeliveryState | undefined): Promise<Html> {
  const { context, url } = view;
  const isPending = state === 'pending';
  const after = queryParameter(url, 'after') ?? '';
  const filter = {
    source: await chosenSource(context, url),
    subscriptions: await subscriptionsOf(view),
    ...chosenPeriod(url),
    limit: rowsToRead,
  };
  const rows = isPending
    ? await listPendingDeliveries(context, { ...filter, after: readPendingKey(after) })
    : await listDeliveryRows(context, { ...filter, state, after: readDeliveryRowKey(after) });
  const { shown, next } = rowsOfPage(rows, pageSize, isPending ? pendingKeyOf : deliveryRowKey);
  return html`${filterForm(url, await fieldsOf(view))}
${deliveryRecords(view, shown, {
  empty: state === 'dead' || isPending ? `No ${state} deliveries.` : 'No deliveries.',
  several: isPending ? retryChosen : state === 'dead' ? redeliverChosen : undefined,
})}
${pager({ url, next, ...(isPending && { firstLabel: 'Soonest', nextLabel: 'Later' }) })}`;
}

async function fieldsOf({ context, url }: PageInput): Promise<Html> {
  return html`${await sourceSelect(context, url)}
${selectField({ name: 'state', label: 'State', options: states, chosen: queryParameter(url, 'state') })}
${suggestionField({
  name: 'subscription',
  label: 'Subscription',
  value: queryParameter(url, 'subscription'),
  placeholder: 'name, target, or ID',
  suggestions: await subscriptionNames(context),
})}
${periodFields(url)}`;
}

async function subscriptionsOf({
  context,
  url,
}: PageInput): Promise<readonly number[] | undefined> {
  const text = queryParameter(url, 'subscription');
  return text === undefined ? undefined : findSubscriptions(context, text);
}

const most = 200;

/** The numbers of the subscriptions with this ID, target, or name, in any case. */
async function findSubscriptions({ db }: RelayContext, text: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('number')
    .where(sqlIsSubscribed)
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
    .where(sqlIsSubscribed)
    .where('name', 'is not', null)
    .orderBy('number', 'desc')
    .limit(most)
    .execute();
  return [...new Set(rows.flatMap(({ name }) => name ?? []))];
}

function pendingKeyOf(row: DeliveryRow): string {
  return `${row.next_at?.getTime() ?? 0}_${deliveryRowKey(row)}`;
}

function readPendingKey(text: string) {
  const [, ms, rest = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const key = readDeliveryRowKey(rest);
  return key && { ...key, at: new Date(Number(ms)) };
}

interface Several {
  readonly action: 'subscriptions.retry' | 'subscriptions.redeliver';
  readonly label: string;
}

interface DeliveryRecords {
  readonly empty: string;
  readonly several?: Several | undefined;
}

export function deliveryRecords(
  { context, url }: Pick<PageInput, 'context' | 'url'>,
  rows: readonly DeliveryRow[],
  { empty, several }: DeliveryRecords,
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const items = rows.map((row) => {
    const id = idOf(row);
    const choice = html`<input type="checkbox" form="several" name="delivery" value="${id}" aria-label="Choose ${id}"${isEnded(row) ? raw(' disabled') : ''}>`;
    return html`<li>${several ? choice : ''}${record(url, id, row, context.clock.now())}</li>\n`;
  });
  const list = html`<ul class="records">${items}</ul>`;
  if (!several || rows.every(isEnded)) return list;
  const { action, label } = several;
  return html`${list}
${actionForm(url, { action, id: 'several', content: html`<button>${label}</button>` })}`;
}

function idOf({ event_id: event, subscription_number: subscription }: DeliveryRow): string {
  return deliveryId({ event, subscription });
}

function record(url: URL, id: string, row: DeliveryRow, now: number): Html {
  const { history } = row;
  const count = history.length === 1 ? '1 attempt' : `${history.length} attempts`;
  return html`<details id="${id}">
<summary>${stateBadge(row.state)} <b>${escapeInvisible(row.type)}</b> ${eventSummary(row.body) ?? ''} <span class="url">${shownName(row.subscription_name) ?? row.target_url}</span>
<span class="quiet">${formatMoment(row.received_at)}, ${count}</span></summary>
${row.reason ? html`<p>${reasonText(row.reason)}.</p>` : ''}
${row.attempt_at ? html`<p>Next attempt: ${row.attempt_at.getTime() > now ? timeWithAge(row.attempt_at, now) : 'now'}</p>` : ''}
<p class="url"><a href="/operator/events/${publicId('evt', row.event_id)}">Event</a> of <code>${row.source}</code>,
to <a href="/operator/subscriptions/${subscriptionIdOf(row)}">${row.target_url}</a></p>
<p class="url quiet">webhook-id <code>${formatWebhookId(publicId('evt', row.event_id), row.replays)}</code></p>
${htmlTable({
  name: `Attempts of ${id}`,
  columns: ['Attempt', 'At', 'Response', 'Took'],
  rows: history.map(attemptRow),
  empty: 'No attempts yet.',
})}
${
  row.subscription_end === null
    ? html`${isOff(row) ? html`<p>Its subscription is off. It gets this once it is on.</p>` : ''}
${actionOf(row).note}${actionButton(url, { ...actionOf(row), of: id, fields: { delivery: id } })}`
    : html`<p>${reasonText(row.subscription_end)}, so nothing can reach it. Publish the workflow or turn on the Zap, with a connector key that works. Then open the event, and deliver it to the new subscription.</p>`
}
</details>`;
}

function isOff({ subscription_state }: DeliveryRow): boolean {
  return subscription_state === 'off';
}

/** Nothing can be delivered to it any more. */
function isEnded({ subscription_end }: DeliveryRow): boolean {
  return subscription_end !== null;
}

function actionOf(row: DeliveryRow) {
  return row.state === 'pending'
    ? ({ action: 'subscriptions.retry', label: 'Retry now', note: '' } as const)
    : ({ action: 'subscriptions.redeliver', label: 'Redeliver', note: runsAgain } as const);
}

const runsAgain = html`<p class="quiet">Redelivered, it gets a new webhook-id, so its workflow runs for it, also if it ran before.</p>\n`;

function attemptRow({ number, at, status, error, duration_ms, response: said }: AttemptRow) {
  const tone = error === null ? 'delivered' : 'dead';
  const response = stateBadge(tone, status === null ? 'no response' : String(status));
  return [
    number,
    formatMoment(at),
    html`${response} ${status === null ? error : ''}${said && responseBlock(said)}`,
    `${duration_ms} ms`,
  ];
}

/** The body, and the headers as they would be typed. */
function responseBlock({ headers, body, is_binary, is_cut }: ResponseRecord): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = is_binary ? '(binary)' : `${body}${is_cut ? '…' : ''}`;
  const said = [...lines, '', text].join('\n').trim();
  return said === '' ? html`` : html`<pre>${said}</pre>`;
}
