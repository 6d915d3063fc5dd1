import { type Html, live, table } from '@screen-advertising/page-kit';
import { html } from 'hono/html';
import type { View } from '../view.ts';
import { accessSelect, actionButton, actionForm } from './forms.ts';
import { webhookAddress } from './webhook-address.ts';

/** Lists the registered addresses, with a form to add one. */
export function webhookAddresses(view: View): Html {
  const rows = view.sandbox.webhooks.list().map(({ id, url, accessId }) => [
    webhookAddress(url),
    accessId,
    actionButton(view.url, {
      action: 'remove-webhook',
      label: 'Remove',
      of: url,
      fields: { id },
      id: `remove-${id}`,
    }),
  ]);
  const form = actionForm(view.url, {
    action: 'add-webhook',
    clears: true,
    className: 'fields',
    content: html`<div class="wide"><label for="webhook-url">Address</label>
<input id="webhook-url" name="url" type="url" required placeholder="http://127.0.0.1:5678/webhook/..."></div>
${accessSelect(view, 'webhook-access')}
<button id="webhook-add" class="primary">Register</button>`,
  });
  return html`${live(
    'webhook-addresses',
    table({
      name: 'Webhook addresses',
      columns: ['Address', 'Access', ''],
      rows,
      empty: 'None yet, so events are not delivered.',
    }),
  )}
${form}`;
}
