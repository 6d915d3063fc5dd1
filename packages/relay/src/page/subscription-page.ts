import { html } from 'hono/html';
import { sql } from 'kysely';
import { readRowNumber, rowsOfPage } from '../base/contract.ts';
import { readSubscriptionId } from '../base/ids.ts';
import type { RelayContext } from '../log/context.ts';
import {
  emptyBacklog,
  maxCountedWaitingEvents,
  readBacklogs,
  type SubscriptionBacklog,
} from '../log/waiting.ts';
import { requestedNames } from '../log/wants.ts';
import { listSubscriptionRows, type SubscriptionRow } from '../subscribe/records.ts';
import {
  actionButton,
  actionForm,
  chosenSource,
  disclosureForm,
  filterForm,
  formFields,
  pager,
  pageSize,
  queryParameter,
  rowsToRead,
  selectField,
  sourceSelect,
} from './forms.ts';
import {
  countText,
  missedEventsForm,
  p95Cell,
  recentOutcomes,
  shareDelivered,
  shareLabel,
  subscriptionStateBadge,
  subscriptionTable,
} from './subscription-table.ts';
import { copyableValue, factList, formatMoment, shownName, timeWithAge } from './values.ts';
import type { DetailPage, Html, ListPage, PageInput } from './view.ts';

export const subscriptionPage: DetailPage = {
  under: '/operator/subscriptions/',
  async find(view, id) {
    const { context, url } = view;
    const uuid = readSubscriptionId(id)?.id;
    if (uuid === undefined) return undefined;
    const [row] = await listSubscriptionRows(context, { id: uuid, limit: 1 });
    if (!row) return undefined;
    const rate = (await recentOutcomes(context, [row.number])).get(row.number);
    const now = context.clock.now();
    const standings = await readBacklogs(context.db, [row.number], { now });
    const standing = { ...emptyBacklog, ...standings.get(row.number), now };
    const counts = await countDeliveries(context, row.number);
    const missed = row.state === 'off' ? undefined : await latestMissedEvent(context, row);
    const again = await deliverAgain(view, id, row, counts);
    const content = html`${factList([
      ['Target', copyableValue(row.target_url, 'the target')],
      ['State', subscriptionStateBadge(row, standing)],
      ['Waiting', waitingOf(standing)],
      ['Pending', countText(standing.pending, maxCountedWaitingEvents)],
      ['Next attempt', nextAttempt(row, standing)],
      ['Last delivered', standing.delivered_at ? timeWithAge(standing.delivered_at, now) : 'never'],
      [shareLabel, shareDelivered(rate)],
      ['Response time, p95', p95Cell(rate)],
      ['Limits', limitOf(view, id, row)],
      ['Events', requestedNames(row.events).join(', ')],
      ['Token', `${row.token} (source ${row.source})`],
      ['ID', copyableValue(id, 'the ID')],
      ['Created', formatMoment(row.created_at)],
    ])}
<p><a href="/operator/deliveries?subscription=${id}">Deliveries</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=pending">pending</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=ignored">ignored</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=dead">dead</a></p>
${
  row.state === 'off'
    ? switchOn(url, id, row, again)
    : html`${missed ? missedNote(missed) : ''}${actionsOf(url, id, again)}`
}`;
    return { title: shownName(row.name) ?? 'Subscription', intro: '', content };
  },
};

type Now = SubscriptionBacklog & { readonly now: number };

/** Events without an attempt. For example `12, and what was asked for by hand`. */
function waitingOf({ unread, has_job }: Now): string {
  return `${countText(unread, maxCountedWaitingEvents)}${has_job ? ', and what was asked for by hand' : ''}`;
}

function nextAttempt({ state }: SubscriptionRow, { next_at, now }: Now): Html | string {
  if (state === 'off') return 'none while it is off';
  if (next_at === null) return 'none: nothing waits or is pending';
  return next_at.getTime() > now ? timeWithAge(next_at, now) : 'now';
}

function switchOn(url: URL, id: string, row: SubscriptionRow, again: Html): Html {
  if (row.token_revoked_at !== null) {
    return html`<p>Its token was revoked: connect again with another connector key.</p>`;
  }
  const fields = { subscription: id, state: 'active' };
  const button = html`<button class="primary">Switch on</button>`;
  return html`<p>Switched on, it continues where it stopped. To recover it, also deliver again what is pending and dead, and what it never got: it gets them once it is on.</p>
<div class="row">
${actionForm(url, { action: 'subscriptions.change', fields, content: button })}
${again}
</div>`;
}

/** Such as those that arrived after a workflow could not be activated. */
function missedNote(latest: Date): Html {
  return html`<p>Events of its types arrived before it existed, the latest at ${formatMoment(latest)}. If they belong here, choose <i>Deliver again</i>.</p>`;
}

const periods = [
  ['', 'It was created'],
  ['1', 'An hour ago'],
  ['24', 'A day ago'],
  ['168', 'A week ago'],
  ['720', '30 days ago'],
] as const;

function actionsOf(url: URL, id: string, again: Html): Html {
  const fields = { subscription: id };
  return html`<div class="row">
${actionButton(url, { action: 'subscriptions.test', label: 'Send a test', fields })}
${again}
${disclosureForm({
  label: 'Switch off',
  of: 'this subscription',
  content: html`<p>It gets no more events until it is on again. Then it continues where it stopped.</p>
${actionButton(url, { action: 'subscriptions.change', label: 'Switch off now', fields: { ...fields, state: 'off' } })}`,
})}
</div>`;
}

/** Each step of a recovery says how many deliveries it concerns, and what happens to workflows. */
async function deliverAgain(
  view: PageInput,
  id: string,
  row: SubscriptionRow,
  { pending, dead, all }: Counts,
): Promise<Html> {
  const { url } = view;
  const hours = queryParameter(url, 'hours');
  const isAsked = url.searchParams.has('hours');
  const button = (label: string, states: string) =>
    actionButton(url, {
      action: 'subscriptions.redeliver',
      label,
      fields: { subscription: id, states },
    });
  return disclosureForm({
    label: 'Deliver again',
    of: 'this subscription',
    isOpen: isAsked,
    content: html`<p>What is pending, now: ${shown(pending)}.${pending.count === 0 ? '' : html` Each keeps its webhook-id. ${actionButton(url, { action: 'subscriptions.retry', label: 'Retry', fields: { subscription: id } })}`}</p>
<p>What is dead: ${shown(dead)}.${dead.count === 0 ? '' : html` Each gets a new webhook-id, so its workflow runs for it. ${button('Redeliver', 'dead')}`}</p>
<form method="get" action="${url.pathname}" class="fields">
${selectField({ name: 'hours', label: 'What it never got, since', options: periods, chosen: isAsked ? (hours ?? '') : '24' })}<button>Count</button>
</form>
${isAsked ? await missedEventsForm(view, id, row, sinceHours(view, hours)) : ''}
${disclosureForm({
  label: 'Redeliver everything',
  of: 'to this subscription',
  content: html`<p>${shown(all)}. Each gets a new webhook-id, so workflows and Zaps run again for all of them: what they create or send, such as coupons and mails, comes twice.</p>
${button(`Redeliver all ${number(all.count)}`, 'pending delivered ignored dead')}`,
})}`,
  });
}

/** Undefined for its creation. */
function sinceHours({ context }: PageInput, hours: string | undefined): Date | undefined {
  const isPeriod = hours !== undefined && periods.some(([value]) => value === hours);
  return isPeriod ? new Date(context.clock.now() - Number(hours) * 3_600_000) : undefined;
}

/** How many, counted up to a limit, and since when: for example `43 since 2027-03-01 09:00:00`. */
interface Count {
  readonly count: number;
  readonly since: Date | null;
}

type Counts = Readonly<Record<'pending' | 'dead' | 'all', Count>>;

function number(count: number): string {
  return count > maxCountedWaitingEvents
    ? `over ${maxCountedWaitingEvents.toLocaleString('en-US')}`
    : String(count);
}

function shown({ count, since }: Count): Html {
  return count === 0 ? html`none` : html`${number(count)} since ${formatMoment(since)}`;
}

/** Since the first of their events arrived. */
async function countDeliveries({ db }: RelayContext, subscription: number): Promise<Counts> {
  const { rows } = await sql<Count & { state: string }>`
    SELECT one.state, counted.count, event.received_at AS since
    FROM unnest(ARRAY['pending', 'delivered', 'ignored', 'dead']) AS one (state)
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS count, min(source_number) AS source, min(position) AS position FROM (
        SELECT source_number, position FROM delivery
        WHERE subscription_number = ${subscription} AND state = one.state
        ORDER BY subscription_number, state, position LIMIT ${maxCountedWaitingEvents + 1}
      ) AS first
    ) AS counted
    JOIN event ON event.source_number = counted.source AND event.position = counted.position`.execute(
    db,
  );
  const sumOf = (of: (state: string) => boolean): Count => {
    const some = rows.filter(({ state }) => of(state));
    const times = some.flatMap(({ since }) => since?.getTime() ?? []);
    const count = some.reduce((sum, one) => sum + one.count, 0);
    return { count, since: times.length > 0 ? new Date(Math.min(...times)) : null };
  };
  const only = (name: string) => sumOf((state) => state === name);
  return { pending: only('pending'), dead: only('dead'), all: sumOf(() => true) };
}

/** So that a small n8n is not overrun. */
function limitOf(view: PageInput, id: string, { max_concurrency: value }: SubscriptionRow): Html {
  const fields = formFields(view, 'subscriptions.change', { subscription: id });
  const attributes = { type: 'number', min: 1, max: 16 };
  const form = actionForm(view.url, {
    action: 'subscriptions.change',
    className: 'fields',
    fields: { subscription: id },
    content: html`${fields.input({ name: 'max_concurrency', label: 'Deliveries at once', value, attributes })}
<button>Save</button>`,
  });
  return html`${value} at once ${disclosureForm({ label: 'Change', of: 'the limit', content: form, isOpen: fields.isRefused })}`;
}

/**
 * When the newest event arrived that the subscription wants and that is older than it, if it was not
 * delivered to it since. Reads one event for each of its types, by index.
 */
async function latestMissedEvent(
  { db }: RelayContext,
  { number, events, since }: Pick<SubscriptionRow, 'number' | 'events' | 'since'>,
): Promise<Date | undefined> {
  const { rows } = await sql<{ received_at: Date }>`
    SELECT newest.received_at FROM subscription
    CROSS JOIN unnest(${events}::text[], ${since}::bigint[]) AS wanted (kind, since)
    CROSS JOIN LATERAL (
      (SELECT position, received_at FROM event
        WHERE kind <> '*' AND source_number = subscription.source_number AND type = kind
          AND position <= wanted.since
        ORDER BY source_number DESC, type DESC, position DESC LIMIT 1)
      UNION ALL
      (SELECT position, received_at FROM event
        WHERE kind = '*' AND source_number = subscription.source_number
          AND position <= wanted.since
        ORDER BY source_number DESC, position DESC LIMIT 1)
    ) AS newest
    WHERE subscription.number = ${number} AND NOT EXISTS (
      SELECT FROM delivery
      WHERE delivery.source_number = subscription.source_number
        AND delivery.position = newest.position AND delivery.subscription_number = ${number}
    )
    ORDER BY newest.position DESC LIMIT 1`.execute(db);
  return rows[0]?.received_at;
}

export const subscriptionsPage: ListPage = {
  path: '/operator/subscriptions',
  title: 'Subscriptions',
  intro: 'Which targets get which events. Connectors subscribe automatically with a connector key.',
  async content({ context, url }) {
    const rows = await listSubscriptionRows(context, {
      source: await chosenSource(context, url),
      state: queryParameter(url, 'state') === 'off' ? 'off' : undefined,
      after: readRowNumber(queryParameter(url, 'after') ?? ''),
      limit: rowsToRead,
    });
    const { shown, next } = rowsOfPage(rows, pageSize, ({ number }) => String(number));
    const fields = html`${await sourceSelect(context, url)}
${selectField({
  name: 'state',
  label: 'State',
  options: [
    ['', 'All'],
    ['off', 'Off'],
  ],
  chosen: queryParameter(url, 'state'),
})}`;
    return html`${filterForm(url, fields)}
${await subscriptionTable(context, shown)}
${pager({ url, next })}`;
  },
};
