import { html } from 'hono/html';
import { publicId, uuidOf } from '../../database/uuid.ts';
import { eventTable } from '../parts/event-table.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { pager, pageSize } from '../parts/pager.ts';
import { listEvents } from '../queries/event-rows.ts';
import type { ListPage } from '../view.ts';

export const eventsPage: ListPage = {
  path: '/operator/events',
  title: 'Events',
  intro: 'Events from the service, newest first.',
  async content({ context, url }) {
    const type = queryOf(url, 'type');
    const rows = await listEvents(context, {
      source: queryOf(url, 'source'),
      type,
      after: uuidOf('evt', queryOf(url, 'after') ?? ''),
      limit: pageSize + 1,
    });
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    const fields = html`${await sourceSelect(context, url)}
<div><label for="type">Type</label>
<input id="type" name="type" value="${type ?? ''}" placeholder="campaign.paid" autocomplete="off"></div>`;
    return html`${filterForm(url, fields)}
${eventTable(shown, 'No events.')}
${pager({ url, next: last && publicId('evt', last.id), firstLabel: 'Newest', nextLabel: 'Older' })}`;
  },
};
