import { html } from 'hono/html';
import { listPage } from '../parts/list-page.ts';
import { badge, moment } from '../parts/values.ts';

export const campaignRequestsPage = listPage({
  path: '/inspector/campaign-requests',
  title: 'Campaign requests',
  intro: 'The campaign requests of all accesses, newest first. Each access sees only its own.',
  columns: ['Request', 'Status', 'Industry', 'Email', 'Created', 'Updated', 'Access'],
  items: ({ sandbox }) => sandbox.campaignRequests.list(),
  row: (request) => [
    html`<code>${request.id}</code>`,
    badge(request.status ?? 'open'),
    request.industry,
    request.email,
    moment(request.created_at),
    moment(request.updated_at),
    request.accessId,
  ],
  empty: 'No campaign requests. Fire the event Campaign Request Created to add one.',
});
