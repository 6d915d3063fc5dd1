import { events } from '@screen-advertising/core';
import { html } from 'hono/html';
import { eventTable } from '../parts/event-table.ts';
import { filterForm, queryOf, searchField, sourceSelect } from '../parts/filters.ts';
import { suggested } from '../parts/forms.ts';
import { onePage, pager, rowsToRead } from '../parts/pager.ts';
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
      after: /^\d{1,18}$/.exec(queryOf(url, 'after') ?? '')?.[0],
      limit: rowsToRead,
    });
    const { shown, next } = onePage(rows, ({ position }) => position);
    const fields = html`${await sourceSelect(context, url)}
${searchField(search)}
${suggested({
  name: 'type',
  label: 'Type',
  value: type,
  placeholder: 'campaign.paid',
  suggestions: Object.keys(events),
})}`;
    return html`${filterForm(url, fields)}
${eventTable(shown, nothing(search))}
${pager({ url, next })}`;
  },
};

/** A search finds whole values, which people may not expect. */
function nothing(search: string | undefined): string {
  if (search === undefined) return 'No events.';
  return `No event has the ID or the value "${search}". Search for a whole value, such as an email address.`;
}
