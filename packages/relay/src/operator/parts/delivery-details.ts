import { html } from 'hono/html';
import { deliveryId } from '../../database/delivery-id.ts';
import { publicId } from '../../database/uuid.ts';
import type { AttemptRow, DeliveryRow } from '../queries/delivery-rows.ts';
import type { Html } from '../view.ts';
import { actionButton } from './forms.ts';
import { table } from './table.ts';
import { badge, moment, reasonText } from './values.ts';

/** Deliveries with expandable attempts. */
export function deliveryRecords(url: URL, rows: readonly DeliveryRow[], empty: string): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ul class="records">${rows.map((row) => record(url, row))}</ul>`;
}

function record(url: URL, row: DeliveryRow): Html {
  const { history } = row;
  const id = deliveryId({ event: row.event_id, subscription: row.subscription_number });
  const count = history.length === 1 ? '1 attempt' : `${history.length} attempts`;
  return html`<li><details id="${id}">
<summary>${badge(row.state)} <b>${row.type}</b> <span class="url">${row.subscription_name ?? row.target_url}</span>
<span class="quiet">${moment(row.received_at)}, ${count}</span></summary>
${row.reason ? html`<p>${reasonText(row.reason)}.</p>` : ''}
${row.state === 'pending' ? html`<p>Next attempt: ${moment(row.next_at)}</p>` : ''}
<p class="url"><a href="/operator/events/${publicId('evt', row.event_id)}">Event</a> of <code>${row.source}</code>,
to <a href="/operator/subscriptions/${publicId('sub', row.subscription_id)}">${row.target_url}</a></p>
${table({
  name: `Attempts of ${id}`,
  columns: ['Attempt', 'At', 'Response', 'Took'],
  rows: history.map(attemptRow),
  empty: 'No attempts yet.',
})}
${
  row.state === 'pending'
    ? ''
    : actionButton(url, {
        action: 'replay-delivery',
        label: 'Replay',
        of: id,
        fields: { delivery: id },
      })
}
</details></li>\n`;
}

function attemptRow({ number, at, status, error, duration_ms }: AttemptRow) {
  const tone = error === null ? 'delivered' : 'dead';
  const response = badge(tone, status === null ? 'no response' : String(status));
  return [
    number,
    moment(at),
    status === null ? html`${response} ${error ?? ''}` : response,
    `${duration_ms} ms`,
  ];
}
