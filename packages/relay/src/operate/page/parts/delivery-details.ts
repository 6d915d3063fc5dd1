import { visibleText } from '@screen-advertising/core/platform';
import { formatWebhookId } from '@screen-advertising/core/webhooks';
import { table } from '@screen-advertising/server-kit/pages';
import { html, raw } from 'hono/html';
import { deliveryId, publicId } from '../../../base/ids.ts';
import type { ResponseRecord } from '../../../base/stored-values.ts';
import type { AttemptRow, DeliveryRow } from '../../../log/deliveries.ts';
import { subscriptionIdOf } from '../../../subscribe/records.ts';
import type { Html, View } from '../view.ts';
import { actionButton, actionForm } from './forms.ts';
import { aboutOf, badge, moment, reasonText, shownName, when } from './values.ts';

interface Several {
  readonly action: 'subscriptions.retry' | 'subscriptions.redeliver';
  readonly label: string;
}

interface DeliveryRecords {
  readonly empty: string;
  readonly several?: Several | undefined;
}

/** Deliveries with expandable attempts. */
export function deliveryRecords(
  { context, url }: Pick<View, 'context' | 'url'>,
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
<summary>${badge(row.state)} <b>${visibleText(row.type)}</b> ${aboutOf(row.body) ?? ''} <span class="url">${shownName(row.subscription_name) ?? row.target_url}</span>
<span class="quiet">${moment(row.received_at)}, ${count}</span></summary>
${row.reason ? html`<p>${reasonText(row.reason)}.</p>` : ''}
${row.attempt_at ? html`<p>Next attempt: ${row.attempt_at.getTime() > now ? when(row.attempt_at, now) : 'now'}</p>` : ''}
<p class="url"><a href="/operator/events/${publicId('evt', row.event_id)}">Event</a> of <code>${row.source}</code>,
to <a href="/operator/subscriptions/${subscriptionIdOf(row)}">${row.target_url}</a></p>
<p class="url quiet">webhook-id <code>${formatWebhookId(publicId('evt', row.event_id), row.replays)}</code></p>
${table({
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
  const response = badge(tone, status === null ? 'no response' : String(status));
  return [
    number,
    moment(at),
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
