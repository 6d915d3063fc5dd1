import { html } from 'hono/html';
import { uuidOf } from '../../database/uuid.ts';
import { actionButton, disclosure } from '../parts/forms.ts';
import { facts, moment } from '../parts/values.ts';
import { listSubscriptions } from '../queries/subscription-rows.ts';
import type { DetailPage, Html } from '../view.ts';
import { stateOf } from './subscriptions-page.ts';

export const subscriptionPage: DetailPage = {
  path: '/operator/subscriptions/:id',
  async find({ context, url }, id) {
    const uuid = uuidOf('sub', id);
    if (uuid === undefined) return undefined;
    const [row] = await listSubscriptions(context, { id: uuid, limit: 1 });
    if (!row) return undefined;
    const content = html`${facts([
      ['State', stateOf(row)],
      [
        'Next attempt',
        row.paused_until ? html`not before ${moment(row.paused_until)}` : 'when due',
      ],
      ['Target', html`<code class="whole">${row.target_url}</code>`],
      ['Events', row.events.join(', ')],
      ['Token', `${row.token} (source ${row.source})`],
      ['ID', html`<code class="whole">${id}</code>`],
      ['Created', moment(row.created_at)],
    ])}
<p><a href="/operator/deliveries?subscription=${id}">Deliveries</a>,
<a href="/operator/deliveries?subscription=${id}&amp;state=pending">waiting</a>,
<a href="/operator/dead?subscription=${id}">dead</a></p>
${row.state === 'off' ? switchOn(url, id, row.token_revoked_at !== null) : actionsOf(url, id)}`;
    return { title: row.name ?? 'Subscription', intro: '', content };
  },
};

function switchOn(url: URL, id: string, isRevoked: boolean): Html {
  if (isRevoked) {
    return html`<p>Its token was revoked: connect again with another connector key.</p>`;
  }
  return actionButton(url, {
    action: 'switch-on',
    label: 'Switch on',
    fields: { subscription: id },
  });
}

function actionsOf(url: URL, id: string): Html {
  return html`<div class="row">
${actionButton(url, {
  action: 'replay-subscription',
  label: 'Replay all dead',
  fields: { subscription: id, which: 'dead' },
})}
${disclosure({
  label: 'Replay everything',
  of: 'this subscription',
  content: html`<p>Sends every stored delivery again, including those that succeeded. Subscribers see the same webhook-id.</p>
${actionButton(url, { action: 'replay-subscription', label: 'Replay everything now', fields: { subscription: id, which: 'all' } })}`,
})}
${disclosure({
  label: 'Switch off',
  of: 'this subscription',
  content: html`<p>It gets no more events. Its pending deliveries become dead.</p>
${actionButton(url, { action: 'switch-off', label: 'Switch off now', fields: { subscription: id } })}`,
})}
</div>`;
}
