import { html } from 'hono/html';
import type { RelayContext } from '../../context.ts';
import { deliveryId, readDeliveryId } from '../../database/delivery-id.ts';
import { uuidOf } from '../../database/uuid.ts';
import { deliveryRecords } from '../parts/delivery-details.ts';
import { queryOf } from '../parts/filters.ts';
import { actionButton } from '../parts/forms.ts';
import { pager, pageSize } from '../parts/pager.ts';
import { facts, moment } from '../parts/values.ts';
import { listDeliveries } from '../queries/delivery-rows.ts';
import type { DetailPage } from '../view.ts';

export const eventPage: DetailPage = {
  path: '/operator/events/:id',
  async find({ context, url }, id) {
    const event = await findEvent(context, uuidOf('evt', id));
    if (!event) return undefined;
    const { rows, next } = await listDeliveries(context, {
      state: undefined,
      source: event.source,
      event: event.id,
      subscription: undefined,
      after: readDeliveryId(queryOf(url, 'after') ?? ''),
      limit: pageSize,
    });
    const content = html`${facts([
      ['ID', html`<code class="whole">${id}</code>`],
      ['Source', event.source],
      ['Received', moment(event.received_at)],
    ])}
<h2>Payload</h2>
<pre tabindex="0" role="region" aria-label="Payload">${readable(event.body.toString())}</pre>
<h2>Deliveries</h2>
${deliveryRecords(url, rows, 'No subscription matched this event when it arrived.')}
${pager({ url, next: next && deliveryId(next), firstLabel: 'First', nextLabel: 'More' })}
${
  rows.length === 0
    ? ''
    : actionButton(url, {
        action: 'replay-event',
        label: 'Replay to every subscription',
        fields: { event: id },
      })
}`;
    return { title: event.type, intro: 'An event, as the service sent it.', content };
  },
};

async function findEvent({ db }: RelayContext, id: string | undefined) {
  if (id === undefined) return undefined;
  return db
    .selectFrom('event')
    .innerJoin('source', 'source.number', 'event.source_number')
    .select(['event.id', 'event.type', 'event.received_at', 'event.body', 'source.name as source'])
    .where('event.id', '=', id)
    .executeTakeFirst();
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
