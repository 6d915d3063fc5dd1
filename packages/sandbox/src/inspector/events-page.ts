import { events } from '@screen-advertising/core';
import type { EventKind } from '@screen-advertising/core/contract';
import {
  copyableValue,
  factList,
  formatMoment,
  type Html,
  htmlTable,
  livePart,
  statusBadge,
} from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import type { Delivery, DeliveryAttempt } from '../state/stored-records.ts';
import {
  accessSelect,
  actionButton,
  actionForm,
  type InspectorPageDefinition,
  type PageInput,
  prettyJson,
  stateBadge,
} from './view.ts';

export const eventsPage: InspectorPageDefinition = {
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
${livePart('deliveries', deliveryList(view))}
</section>`,
};

/** Built from the catalogue, so every new event gets a form. */
function eventForm(view: PageInput, { name, title, description, sample }: EventKind): Html {
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
export function webhookAddresses(view: PageInput): Html {
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
  return html`${livePart(
    'webhook-addresses',
    htmlTable({
      name: 'Webhook addresses',
      columns: ['Address', 'Access', ''],
      rows,
      empty: 'None yet, so events are not delivered.',
    }),
  )}
${form}`;
}

/** More would slow down the page. The admin API lists the older ones. */
const shown = 100;

/** The events with their deliveries and attempts, newest first. */
function deliveryList(view: PageInput): Html {
  const deliveries = view.sandbox.deliveries.list().reverse();
  if (deliveries.length === 0) {
    const isRegistered = view.sandbox.webhooks.list().length > 0;
    const steps = isRegistered
      ? 'Fire an event.'
      : 'Register a webhook address, then fire an event.';
    return html`<p class="empty">None yet. ${steps}</p>`;
  }
  const ofEvents = Map.groupBy(deliveries.slice(0, shown), ({ eventId }) => eventId);
  const items = [...ofEvents.values()].map((ofEvent) => eventItem(view, ofEvent));
  return html`<ul class="records">${items}</ul>`;
}

/** One row for an event, however many addresses it goes to. */
function eventItem(view: PageInput, deliveries: readonly Delivery[]): Html {
  const [first] = deliveries;
  if (!first) return html``;
  return html`<li><details id="${first.eventId}">
<summary><b>${first.event}</b> ${summaryOf(deliveries)}
<span class="quiet">${formatMoment(first.createdAt)}</span></summary>
${factList([['Event', copyableValue(first.eventId, 'Event')]], '')}
<h3>Body</h3>
<pre tabindex="0" aria-label="Body of ${first.eventId}">${prettyJson(first.body)}</pre>
<h3>Deliveries</h3>
<ul class="records">${deliveries.map((delivery) => item(view, delivery))}</ul>
</details></li>\n`;
}

/** For example "2 of 6 delivered, 4 ignored". */
function summaryOf(deliveries: readonly Delivery[]): string {
  const states = deliveries.map(stateOf);
  const count = (state: string) => states.filter((other) => other === state).length;
  const rest = ['ignored', 'pending', 'exhausted'].flatMap((state) =>
    count(state) > 0 ? `${count(state)} ${state}` : [],
  );
  return [`${count('delivered')} of ${states.length} delivered`, ...rest].join(', ');
}

/** A workflow that accepted the event and ran nothing has ignored it. */
function stateOf({ status, attempts }: Delivery): string {
  return status === 'delivered' && attempts.at(-1)?.ignored !== undefined ? 'ignored' : status;
}

function item(view: PageInput, delivery: Delivery): Html {
  const { attempts } = delivery;
  return html`<li><details id="${delivery.id}">
<summary>${stateBadge(stateOf(delivery))} ${webhookAddress(delivery.url, receiverOf(view, delivery))}
<span class="quiet">${formatMoment(delivery.createdAt)}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}</span></summary>
${htmlTable({
  name: `Attempts of ${delivery.id}`,
  columns: ['Attempt', 'At', 'Response', 'Duration', 'Signature'],
  rows: attempts.map(attemptRow),
  empty: 'The first attempt is in progress.',
})}
<div class="row">${nextAttempt(view, delivery)}
${actionButton(view.url, {
  action: 'redeliver',
  label: 'Send again',
  of: delivery.id,
  fields: { id: delivery.id },
  id: `redeliver-${delivery.id}`,
})}</div>
</details></li>\n`;
}

function attemptRow(attempt: DeliveryAttempt, index: number) {
  const response = html`${statusBadge(attempt.status)} ${attempt.ignored ?? (attempt.status === null ? attempt.error : '')}`;
  return [
    attempt.manual ? `${index + 1}, manual` : index + 1,
    formatMoment(attempt.at),
    response,
    `${attempt.latencyMs} ms`,
    attempt.signature === null ? '-' : html`<code>${attempt.signature}</code>`,
  ];
}

function nextAttempt(view: PageInput, { id, nextAttemptAt }: Delivery): Html {
  if (nextAttemptAt === null) return html``;
  const ms = Math.max(0, Date.parse(nextAttemptAt) - view.sandbox.clock.now());
  return html`<p>Next attempt at ${formatMoment(nextAttemptAt)}</p>
${actionForm(view.url, {
  action: 'advance-clock',
  content: html`<input type="hidden" name="ms" value="${Math.ceil(ms)}">
<button id="next-${id}" class="small">Advance the clock to then</button>`,
})}`;
}

function receiverOf({ sandbox }: PageInput, { webhookId }: Delivery): string | undefined {
  return sandbox.webhooks.list().find(({ id }) => id === webhookId)?.name;
}

const uuid = /([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** The start of the paths that n8n generates, by the name that n8n shows above each. */
const n8nPaths: ReadonlyArray<readonly [start: RegExp, name: string]> = [
  [/\/webhook\/[\da-f]{8}-/i, 'production URL of n8n'],
  [/\/webhook-test\/[\da-f]{8}-/i, 'test URL of n8n'],
];

/** An address short enough to tell it from others at a glance. Hovering shows all of it. */
function webhookAddress(url: string, receiver?: string): Html {
  const short = url.replaceAll(uuid, '$1…');
  const [, path] = n8nPaths.find(([start]) => start.test(url)) ?? [];
  const name = receiver ?? path;
  return html`<span class="url"${short === url ? '' : html` title="${url}"`}>${short}</span>${name ? html` <span class="quiet">${name}</span>` : ''}`;
}
