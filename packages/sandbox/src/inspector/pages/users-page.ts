import { html } from 'hono/html';
import { listPage } from '../parts/list-page.ts';
import { badge, moment } from '../parts/values.ts';

export const usersPage = listPage({
  path: '/inspector/users',
  title: 'Users',
  intro: 'Users you can look up by email address or VAT number, newest first.',
  columns: ['User', 'Email', 'VAT number', 'Registered', 'Bookings', 'Referred by'],
  items: ({ sandbox }) => sandbox.users.list(),
  row: (user) => [
    html`<code>${user.user_id}</code>`,
    user.email,
    user.vat_uid ?? '-',
    moment(user.registered_at),
    user.has_bookings ? badge('yes') : 'no',
    user.referredBy ?? '-',
  ],
  empty: 'No users. Fire the event User Registered to add one.',
});
