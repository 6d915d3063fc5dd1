import { events } from '@screen-advertising/core';
import { html } from 'hono/html';
import { listEventRows, readEventPlace } from '../../../log/event-rows.ts';
import { onePage } from '../../../log/page.ts';
import { eraseForm } from '../parts/erase-form.ts';
import { eventTable } from '../parts/event-table.ts';
import { chosenSource, filterForm, queryOf, searchField, sourceSelect } from '../parts/filters.ts';
import { suggested } from '../parts/forms.ts';
import { pager, pageSize, rowsToRead } from '../parts/pager.ts';
import type { ListPage } from '../view.ts';

export const eventsPage: ListPage = {
  path: '/operator/events',
  title: 'Events',
  intro: 'Events from the service, newest first.',
  async content({ context, url }) {
    const type = queryOf(url, 'type');
    const search = queryOf(url, 'search');
    const rows = await listEventRows(context, {
      source: await chosenSource(context, url),
      type,
      search,
      after: readEventPlace(queryOf(url, 'after') ?? ''),
      limit: rowsToRead,
    });
    const { shown, next } = onePage(rows, pageSize, ({ position }) => position);
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
${pager({ url, next })}
${search === undefined || shown.length === 0 ? '' : eraseForm(url, { search, source: queryOf(url, 'source'), what: `every event with "${search}"` })}`;
  },
};

/** A search finds whole values, which people may not expect. */
function nothing(search: string | undefined): string {
  if (search === undefined) return 'No events.';
  return `No event has the ID or the value "${search}". Search for a whole value, such as an email address.`;
}
