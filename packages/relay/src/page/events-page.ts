import { events } from '@screen-advertising/core';
import { escapeInvisible } from '@screen-advertising/core/platform';
import { htmlTable } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { rowsOfPage } from '../base/contract.ts';
import { publicId, subscriptionId, uuidOf } from '../base/ids.ts';
import { deliveryRowKey, listDeliveryRows, readDeliveryRowKey } from '../log/deliveries.ts';
import {
  type EventRow,
  type FoundEvent,
  listEventRows,
  readEventPlace,
  readEvents,
} from '../log/events.ts';
import { maxEventsSearchedByPrefix } from '../log/search.ts';
import { findWaitingSubscriptions, type WaitingSubscriptions } from '../log/waiting.ts';
import { everyEvent } from '../log/wants.ts';
import { listSubscriptionRows, type SubscriptionRow } from '../subscribe/records.ts';
import { subscriptionsThatHadEvent } from '../subscribe/redeliver.ts';
import { deliveryRecords } from './deliveries-page.ts';
import {
  actionButton,
  actionForm,
  chosenPeriod,
  chosenSource,
  disclosureForm,
  filterForm,
  pager,
  pageSize,
  periodFields,
  queryParameter,
  rowsToRead,
  searchField,
  selectField,
  sourceSelect,
  suggestionField,
} from './forms.ts';
import { missedEventsForm } from './subscription-table.ts';
import {
  copyableValue,
  eventSummary,
  factList,
  formatMoment,
  payloadId,
  shownName,
  stateBadge,
} from './values.ts';
import type { DetailPage, Html, ListPage, PageInput } from './view.ts';

export const eventPage: DetailPage = {
  under: '/operator/events/',
  async find(view, id) {
    const { context, url } = view;
    if (uuidOf('evt', id) === undefined) return undefined;
    const [event] = await readEvents(context, { search: id, limit: 1 });
    if (!event) return undefined;
    const rows = await listDeliveryRows(context, {
      source: event.source_number,
      position: event.position,
      after: readDeliveryRowKey(queryParameter(url, 'after') ?? ''),
      limit: rowsToRead,
    });
    const { shown, next } = rowsOfPage(rows, pageSize, deliveryRowKey);
    const waiting = (await findWaitingSubscriptions(context.db, [event])).get(event.position);
    const content = html`${factList([
      ['Payload ID', event.body ? copyOf(payloadId(event.body), 'the payload ID') : 'Erased'],
      ['Relay ID', copyableValue(id, 'the relay ID')],
      ['Source', event.source],
      ['Received', formatMoment(event.received_at)],
      ['Waiting for it', waitingText(waiting)],
    ])}
<h2>Deliveries</h2>
${deliveryRecords(view, shown, { empty: emptyText(event, waiting) })}
${pager({ url, next, firstLabel: 'First', nextLabel: 'More' })}
${shown.length === 0 || event.body === null ? '' : await redeliverToEach(view, id, event)}
${event.body === null ? erased : await payload(view, id, event)}`;
    return { title: event.type, intro: 'An event, as the service sent it.', content };
  },
};

const maxNames = 20;

/** For example `A, B, and C once it is on`. */
function waitingText({ active, off }: WaitingSubscriptions = { active: [], off: [] }): string {
  const names = [...active.map(shownName), ...off.map((name) => `${shownName(name)} (off)`)];
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return names.length === 0 ? 'Nobody' : `${names.slice(0, maxNames).join(', ')}${more}`;
}

function emptyText({ body }: FoundEvent, waiting: WaitingSubscriptions | undefined): string {
  if (body === null) return 'No deliveries.';
  return waiting
    ? 'No attempt yet.'
    : 'No subscription wanted it when it arrived. Deliver it to one.';
}

const erased = html`<p class="empty">Erased: the relay keeps no payload, search value or response of this event.</p>`;

async function payload(view: PageInput, id: string, event: FoundEvent): Promise<Html> {
  return html`${await deliverForm(view, id, event)}
<h2>Payload</h2>
<pre tabindex="0" role="region" aria-label="Payload">${readable(String(event.body))}</pre>
${eraseForm(view.url, { search: id, source: event.source, what: 'this event' })}`;
}

async function redeliverToEach(
  { context, url }: PageInput,
  id: string,
  event: FoundEvent,
): Promise<Html> {
  const { length: count } = await subscriptionsThatHadEvent(context.db, event);
  if (count === 0) {
    return html`<p>Each of these subscriptions is off. Open a delivery to see how it can be redelivered.</p>`;
  }
  const those = count === 1 ? 'subscription that had it and is on' : 'that had it and are on';
  return disclosureForm({
    label: 'Redeliver to every subscription',
    of: 'this event',
    content: html`<p>To the ${count} ${those}. It gets a new webhook-id, so each workflow runs for it again.</p>
${actionButton(url, { action: 'events.redeliver', label: `Redeliver to all ${count}`, fields: { event: id } })}`,
  });
}

function copyOf(id: string | undefined, what: string): Html | string {
  return id === undefined ? 'None: the service gave it no ID' : copyableValue(id, what);
}

/** Pretty-printed, unless that would change a number or a name. */
function readable(body: string): string {
  try {
    const value = JSON.parse(body);
    return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}

const maxChoices = 200;

/**
 * Delivers an event to any subscription, also to one that had no delivery of it, such as one that
 * came later. Those that want its type come first.
 */
async function deliverForm(
  view: PageInput,
  event: string,
  { type, received_at, source_number: source }: FoundEvent,
): Promise<Html> {
  const { context, url } = view;
  const filter = { source, state: 'active', limit: maxChoices } as const;
  const active = await listSubscriptionRows(context, filter);
  if (active.length === 0) {
    return html`<p>No subscription is on. Publish the workflow, turn on the Zap, or <a href="/operator/subscriptions?state=off">switch a subscription on</a>. Then deliver the event here.</p>`;
  }
  const wants = ({ events }: SubscriptionRow) =>
    events.includes(type) || events.includes(everyEvent);
  const options = [...active.filter(wants), ...active.filter((row) => !wants(row))].map((row) => {
    const label = shownName(row.name) ?? row.target_url;
    return [subscriptionId(row), wants(row) ? label : `${label} (not subscribed)`] as const;
  });
  const asked = queryParameter(url, 'missed') && queryParameter(url, 'subscription');
  const chosen = active.find((row) => subscriptionId(row) === asked);
  return html`${actionForm(url, {
    action: 'events.redeliver',
    className: 'fields',
    fields: { event },
    content: html`${selectField({ name: 'subscription', label: 'Subscription', options, chosen: asked })}
<button>Deliver to it</button>
<button formmethod="get" formaction="${url.pathname}" name="missed" value="true">Deliver this and all it missed since ...</button>`,
  })}
${chosen ? html`<div class="card">${await missedEventsForm(view, subscriptionId(chosen), chosen, received_at)}</div>` : ''}`;
}

export const eventsPage: ListPage = {
  path: '/operator/events',
  title: 'Events',
  intro: 'Events from the service, newest first.',
  async content({ context, url }) {
    const type = queryParameter(url, 'type');
    const search = queryParameter(url, 'search');
    const filter = {
      source: await chosenSource(context, url),
      type,
      search,
      ...chosenPeriod(url),
      after: readEventPlace(queryParameter(url, 'after') ?? ''),
      limit: rowsToRead,
    };
    const found = await listEventRows(context, filter);
    const isStart = found.length === 0 && search !== undefined && search.length >= minStart;
    const rows = isStart ? await listEventRows(context, { ...filter, isStart }) : found;
    const { shown, next } = rowsOfPage(rows, pageSize, ({ position }) => position);
    const fields = html`${await sourceSelect(context, url)}
${searchField(search)}
${suggestionField({
  name: 'type',
  label: 'Type',
  value: type,
  placeholder: 'campaign.paid',
  suggestions: Object.keys(events),
})}
${periodFields(url)}`;
    return html`${filterForm(url, fields)}
${isStart && shown.length > 0 ? html`<p>No event has the value "${search}". Of the newest ${maxEventsSearchedByPrefix.toLocaleString('en-US')} events of each source, these have one that begins with it:</p>` : ''}
${eventTable(shown, nothing(search))}
${pager({ url, next })}
${search === undefined || isStart || shown.length === 0 ? '' : eraseForm(url, { search, source: queryParameter(url, 'source'), what: foundText(url, search, next ? undefined : shown.length) })}`;
  },
};

/** Names the events that an erasure finds: only the source narrows it, no other filter. */
function foundText(url: URL, search: string, count: number | undefined): string {
  const isPart = ['type', 'from', 'to', 'after'].some(
    (name) => queryParameter(url, name) !== undefined,
  );
  const all = `every event with "${search}"`;
  if (isPart) return `${all}, also those that this page leaves out`;
  return count === undefined ? `${all}, more than ${pageSize}` : `${all}, ${count} in all`;
}

/** Shorter texts begin too much to help. */
const minStart = 3;

/** In all events a search finds whole values, which people may not expect. */
function nothing(search: string | undefined): string {
  if (search === undefined) return 'No events.';
  return `No event has the ID or the value "${search}", and of the newest ${maxEventsSearchedByPrefix.toLocaleString('en-US')} none has one that begins with it. Older ones are found by a whole value, such as an email address.`;
}

const states = ['delivered', 'ignored', 'pending', 'dead'] as const;

export function eventTable(rows: readonly EventRow[], empty: Html | string): Html {
  return htmlTable({
    name: 'Events',
    columns: ['Event', 'About', 'Received', 'Deliveries', 'Source'],
    rows: rows.map(({ id, type, received_at, source, deliveries, waiting, body, is_erased }) => [
      html`<a href="/operator/events/${publicId('evt', id)}">${escapeInvisible(type)}</a>`,
      is_erased
        ? stateBadge('off', 'erased')
        : html`<span class="wraps">${eventSummary(body) ?? '-'}</span>`,
      formatMoment(received_at),
      deliveryCounts(deliveries ?? {}, waiting),
      source,
    ]),
    ids: rows.map(({ id }) => publicId('evt', id)),
    empty,
  });
}

function deliveryCounts(
  counts: Readonly<Record<string, number>>,
  { active, off }: EventRow['waiting'],
): Html {
  const badges = [
    ...states.map((state) => [state, counts[state] ?? 0, state] as const),
    ['waiting', active.length, 'waiting'] as const,
    ['waiting', off.length, 'waiting, off'] as const,
  ]
    .filter(([, count]) => count > 0)
    .map(([tone, count, label]) => html`${stateBadge(tone, `${count} ${label}`)} `);
  return badges.length > 0 ? html`${badges}` : html`<span class="quiet">no subscription</span>`;
}

interface Erasing {
  /** The relay's ID of an event, or a value. */
  readonly search: string;
  /** Name. Default: all sources. */
  readonly source?: string | undefined;
  /** Such as "every event with this value". */
  readonly what: string;
}

function eraseForm(url: URL, { search, source = '', what }: Erasing): Html {
  return disclosureForm({
    label: 'Erase',
    of: what,
    content: html`<p>Erases the payload of ${what}, its search values, and what subscribers responded. Pending deliveries end. Nothing can bring them back. Backups, PostgreSQL's write-ahead log and subscribers keep what they have.</p>
${actionForm(url, {
  action: 'events.erase',
  fields: { search, source },
  content: html`<button>Erase for good</button>`,
})}`,
  });
}
