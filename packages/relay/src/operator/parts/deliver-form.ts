import { html } from 'hono/html';
import type { RelayContext } from '../../context.ts';
import { publicId } from '../../database/uuid.ts';
import type { FoundEvent } from '../../records/event-rows.ts';
import { listSubscriptionRows, type SubscriptionRow } from '../../records/subscription-rows.ts';
import { everyEvent } from '../../subscriptions/event-names.ts';
import type { Html } from '../view.ts';
import { actionForm, select } from './forms.ts';
import { shownName } from './values.ts';

const mostChoices = 200;

/**
 * Delivers an event to any subscription, also to one that had no delivery of it, such as one that
 * came later. Those that want its type come first.
 */
export async function deliverForm(
  context: RelayContext,
  url: URL,
  { id, type, source_number: source }: FoundEvent,
): Promise<Html> {
  const filter = { source, state: 'active', limit: mostChoices } as const;
  const active = await listSubscriptionRows(context, filter);
  if (active.length === 0) {
    return html`<p>No subscription is on. Publish the workflow, turn on the Zap, or <a href="/operator/subscriptions?state=off">switch a subscription on</a>. Then deliver the event here.</p>`;
  }
  const wants = ({ events }: SubscriptionRow) =>
    events.includes(type) || events.includes(everyEvent);
  const options = [...active.filter(wants), ...active.filter((row) => !wants(row))].map((row) => {
    const label = shownName(row.name) ?? row.target_url;
    return [
      publicId('sub', row.id),
      wants(row) ? label : `${label} (does not subscribe to ${type})`,
    ] as const;
  });
  return actionForm(url, {
    action: 'replay-event-to',
    className: 'fields',
    fields: { event: publicId('evt', id) },
    content: html`${select({ name: 'subscription', label: 'Subscription', options })}
<button>Deliver to it</button>
<button name="also" value="missing">Deliver this and all it missed since</button>`,
  });
}
