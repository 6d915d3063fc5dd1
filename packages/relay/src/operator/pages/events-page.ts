import { events } from '@screen-advertising/core';
import { html } from 'hono/html';
import { publicId, uuidOf } from '../../database/uuid.ts';
import { eventTable } from '../parts/event-table.ts';
import { filterForm, queryOf, sourceSelect } from '../parts/filters.ts';
import { suggested } from '../parts/forms.ts';
import { pager, pageSize } from '../parts/pager.ts';
import { searchField } from '../parts/search-field.ts';
import { listEvents } from '../queries/event-rows.ts';
import type { ListPage } from '../view.ts';

export const eventsPage: ListPage = {
  path: '/operator/events',
  title: 'Events',
  intro: 'Events from the service, newest first.',
  async content({ context, url }) {
    const type = queryOf(url, 'type');
    const search = queryOf(url, 'search');
    const rows = await listEvents(context, {
      source: queryOf(url, 'source'),
      type,
      search,
      after: uuidOf('evt', queryOf(url, 'after') ?? ''),
      limit: pageSize + 1,
    });
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    const fields = html`${await sourceSelect(context, url)}
${searchField(search ?? '')}
${suggested({
  name: 'type',
  label: 'Type',
  value: type,
  placeholder: 'campaign.paid',
  suggestions: Object.keys(events),
})}`;
    return html`${filterForm(url, fields)}
${eventTable(shown, nothing(search))}
${pager({ url, next: last && publicId('evt', last.id), firstLabel: 'Newest', nextLabel: 'Older' })}`;
  },
};

/** A search finds whole values, which people may not expect. */
function nothing(search: string | undefined): string {
  if (search === undefined) return 'No events.';
  return `No event has the ID or the value "${search}". Search for a whole value, such as an email address.`;
}
