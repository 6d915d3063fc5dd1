import { html } from 'hono/html';
import { live, table } from '../parts/sections.ts';
import { badge, moment } from '../parts/values.ts';
import type { InspectorPage } from '../view.ts';

export const usersPage: InspectorPage = {
  path: '/inspector/users',
  title: 'Users',
  intro: 'Users you can look up by email address or VAT number.',
  content: ({ sandbox }) =>
    live(
      'users',
      table({
        name: 'Users',
        columns: ['User', 'Email', 'VAT number', 'Registered', 'Bookings', 'Referred by'],
        rows: sandbox.users
          .list()
          .map((user) => [
            html`<code>${user.user_id}</code>`,
            user.email,
            user.vat_uid ?? '-',
            moment(user.registered_at),
            user.has_bookings ? badge('yes') : 'no',
            user.referredBy ?? '-',
          ]),
        empty: 'No users. Fire the event User Registered to add one.',
      }),
    ),
};
