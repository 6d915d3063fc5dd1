import { html } from 'hono/html';
import type { Html, View } from '../view.ts';
import { accessSelect, actionButton, actionForm } from './forms.ts';
import { live, table } from './sections.ts';

/** Lists the registered addresses, with a form to add one. */
export function webhookAddresses(view: View): Html {
  const rows = view.sandbox.webhooks
    .list()
    .map(({ id, url, accessId }) => [
      html`<code>${url}</code>`,
      accessId,
      actionButton(view, 'remove-webhook', 'Remove', { id, of: url }),
    ]);
  const form = actionForm(view, {
    action: 'add-webhook',
    clears: true,
    className: 'fields',
    content: html`<div class="wide"><label for="webhook-url">Address</label>
<input id="webhook-url" name="url" type="url" required placeholder="http://127.0.0.1:5678/webhook/..."></div>
<div>${accessSelect(view, 'webhook-access')}</div>
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
