import { events } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import { type Html, live, table } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { deliveryList, webhookAddress } from '../parts/delivery-list.ts';
import { accessSelect, actionButton, actionForm } from '../parts/forms.ts';
import type { InspectorPage, View } from '../view.ts';

export const eventsPage: InspectorPage = {
  path: '/inspector/events',
  title: 'Events',
  intro: 'Fire an event, and watch its deliveries to the webhook addresses.',
  content: (
    view,
  ) => html`<div class="cards events">${Object.values(events).map((event) => eventForm(view, event))}</div>
<section>
<h2>Webhook addresses</h2>
${webhookAddresses(view)}
</section>
<section>
<h2>Deliveries</h2>
${live('deliveries', deliveryList(view))}
</section>`,
};

/** Built from the catalogue, so every new event gets a form. */
function eventForm(view: View, { name, title, description, sample }: EventKind): Html {
  const id = name.replaceAll(/\W/g, '-');
  const fields = Object.entries(sample).map(
    ([field, example]) => html`<div><label for="${id}-${field}">${field}</label>
<input id="${id}-${field}" name="data.${field}" placeholder="${field.endsWith('_at') ? 'now' : String(example)}" autocomplete="off"></div>\n`,
  );
  const content = html`<input type="hidden" name="type" value="${name}">
<details id="${id}-fields"><summary>Fields</summary>
<p class="quiet">The sandbox fills in what you leave empty.</p>
${fields}
${accessSelect(view, `${id}-access`, 'Let the sandbox choose')}
<div><label for="${id}-more">More fields, as JSON</label>
<textarea id="${id}-more" name="more" rows="2" spellcheck="false"></textarea></div>
</details>
<button id="${id}-fire" class="primary" aria-label="Fire ${title}">Fire</button>`;
  return html`<article class="card event">
<h2>${title}</h2>
<p><code>${name}</code></p>
<p class="quiet">${description}</p>
${actionForm(view.url, { action: 'fire-event', content, className: 'stack' })}
</article>\n`;
}

/** Lists the registered addresses, with a form to add one. */
export function webhookAddresses(view: View): Html {
  const rows = view.sandbox.webhooks.list().map(({ id, url, accessId, name }) => [
    webhookAddress(url, name),
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
