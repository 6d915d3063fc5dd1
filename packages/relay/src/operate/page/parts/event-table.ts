import { visibleText } from '@screen-advertising/core/platform';
import { table } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { publicId } from '../../../base/ids.ts';
import type { EventRow } from '../../../log/events.ts';
import type { Html } from '../view.ts';
import { aboutOf, badge, moment } from './values.ts';

const states = ['delivered', 'ignored', 'pending', 'dead'] as const;

export function eventTable(rows: readonly EventRow[], empty: Html | string): Html {
  return table({
    name: 'Events',
    columns: ['Event', 'About', 'Received', 'Deliveries', 'Source'],
    rows: rows.map(({ id, type, received_at, source, deliveries, waiting, body, is_erased }) => [
      html`<a href="/operator/events/${publicId('evt', id)}">${visibleText(type)}</a>`,
      is_erased ? badge('off', 'erased') : html`<span class="wraps">${aboutOf(body) ?? '-'}</span>`,
      moment(received_at),
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
    .map(([tone, count, label]) => html`${badge(tone, `${count} ${label}`)} `);
  return badges.length > 0 ? html`${badges}` : html`<span class="quiet">no subscription</span>`;
}
