import { html } from 'hono/html';
import { readSubscriptionId } from '../../../log/database/ids.ts';
import { requestedNames } from '../../../log/database/wants.ts';
import {
  listSubscriptionRows,
  type SubscriptionRow,
} from '../../../subscribe/records/subscription-rows.ts';
import { actionButton, actionForm, disclosure, formFields, select } from '../parts/forms.ts';
import {
  deliveredLabel,
  deliveryRates,
  p95Of,
  stateOf,
  successOf,
} from '../parts/subscription-table.ts';
import { copyable, facts, moment, shownName } from '../parts/values.ts';
import { latestMissedEvent } from '../queries/latest-missed-event.ts';
import type { DetailPage, Html, View } from '../view.ts';

export const subscriptionPage: DetailPage = {
  under: '/operator/subscriptions/',
  async find(view, id) {
    const { context, url } = view;
    const uuid = readSubscriptionId(id)?.id;
    if (uuid === undefined) return undefined;
    const [row] = await listSubscriptionRows(context, { id: uuid, limit: 1 });
    if (!row) return undefined;
    const rate = (await deliveryRates(context, [row.number])).get(row.number);
    const missed = row.state === 'off' ? undefined : await latestMissedEvent(context, row);
    const content = html`${facts([
      ['State', stateOf(row)],
      [deliveredLabel, successOf(rate)],
      ['Response time, p95', p95Of(rate)],
      ['Next attempt', nextAttempt(row, context.clock.now())],
      ['Limits', limitOf(view, id, row)],
      ['Target', copyable(row.target_url, 'the target')],
      ['Events', requestedNames(row.events).join(', ')],
      ['Token', `${row.token} (source ${row.source})`],
      ['ID', copyable(id, 'the ID')],
      ['Created', moment(row.created_at)],
    ])}
<p><a href="/operator/deliveries?subscription=${id}">Deliveries</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=pending">pending</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=ignored">ignored</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=dead">dead</a></p>
${
  row.state === 'off'
    ? switchOn(url, id, row.token_revoked_at !== null)
    : html`${missed ? missedNote(missed) : ''}${actionsOf(url, id)}`
}`;
    return { title: shownName(row.name) ?? 'Subscription', intro: '', content };
  },
};

function nextAttempt({ state, paused_until }: SubscriptionRow, now: number): Html | string {
  if (state === 'off') return 'none while it is off';
  return Number(paused_until) > now ? html`not before ${moment(paused_until)}` : 'when due';
}

function switchOn(url: URL, id: string, isRevoked: boolean): Html {
  if (isRevoked) {
    return html`<p>Its token was revoked: connect again with another connector key.</p>`;
  }
  const fields = { subscription: id, state: 'active' };
  const button = html`<button class="primary">Switch on</button>`;
  return html`<p>Switched on, it continues where it stopped. To recover it, also deliver again what is pending and dead, and what it never got: it gets them once it is on.</p>
<div class="row">
${actionForm(url, { action: 'subscriptions.change', fields, content: button })}
${deliverAgain(url, id)}
</div>`;
}

/** Such as those that arrived after a workflow could not be activated. */
function missedNote(latest: Date): Html {
  return html`<p>Events of its types arrived before it existed, the latest at ${moment(latest)}. If they belong here, choose <i>Deliver again</i>.</p>`;
}

/** In hours. */
const periods = [
  ['', 'It was created'],
  ['1', 'An hour ago'],
  ['24', 'A day ago'],
  ['168', 'A week ago'],
  ['720', '30 days ago'],
] as const;

function actionsOf(url: URL, id: string): Html {
  const fields = { subscription: id };
  return html`<div class="row">
${actionButton(url, { action: 'subscriptions.test', label: 'Send a test', fields })}
${deliverAgain(url, id)}
${disclosure({
  label: 'Switch off',
  of: 'this subscription',
  content: html`<p>It gets no more events until it is on again. Then it continues where it stopped.</p>
${actionButton(url, { action: 'subscriptions.change', label: 'Switch off now', fields: { ...fields, state: 'off' } })}`,
})}
</div>`;
}

/** Each step of a recovery has a button. */
function deliverAgain(url: URL, id: string): Html {
  const button = (label: string, states: string) =>
    actionButton(url, {
      action: 'subscriptions.redeliver',
      label,
      fields: { subscription: id, states },
    });
  return disclosure({
    label: 'Deliver again',
    of: 'this subscription',
    content: html`<p>What is pending, now: ${actionButton(url, { action: 'subscriptions.retry', label: 'Retry', fields: { subscription: id } })}</p>
<p>What is dead: ${button('Redeliver', 'dead')}</p>
${actionForm(url, {
  action: 'subscriptions.redeliver',
  className: 'fields',
  fields: { subscription: id, missing: 'true' },
  content: html`${select({ name: 'hours', label: 'What it never got, since', options: periods, chosen: '24' })}<button>Deliver</button>`,
})}
<p>Everything, with a new webhook-id, so that workflows run again: ${button('Redeliver everything', 'pending delivered ignored dead')}</p>`,
  });
}

/** So that a small n8n is not overrun. */
function limitOf(view: View, id: string, { max_concurrency: value }: SubscriptionRow): Html {
  const fields = formFields(view, 'subscriptions.change', { subscription: id });
  const attributes = { type: 'number', min: 1, max: 16 };
  const form = actionForm(view.url, {
    action: 'subscriptions.change',
    className: 'fields',
    fields: { subscription: id },
    content: html`${fields.input({ name: 'max_concurrency', label: 'Deliveries at once', value, attributes })}
<button>Save</button>`,
  });
  return html`${value} at once ${disclosure({ label: 'Change', of: 'the limit', content: form, isOpen: fields.isRefused })}`;
}
