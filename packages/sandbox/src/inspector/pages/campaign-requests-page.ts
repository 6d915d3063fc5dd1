import { html } from 'hono/html';
import { live, table } from '../parts/sections.ts';
import { badge, moment } from '../parts/values.ts';
import type { InspectorPage } from '../view.ts';

export const campaignRequestsPage: InspectorPage = {
  path: '/inspector/campaign-requests',
  title: 'Campaign requests',
  intro: 'The campaign requests of all accesses, newest first. Each access sees only its own.',
  content: ({ sandbox }) =>
    live(
      'campaign-requests',
      table({
        name: 'Campaign requests',
        columns: ['Request', 'Status', 'Industry', 'Email', 'Created', 'Updated', 'Access'],
        rows: sandbox.campaignRequests
          .list()
          .reverse()
          .map((request) => [
            html`<code>${request.id}</code>`,
            badge(request.status ?? 'open'),
            request.industry,
            request.email,
            moment(request.created_at),
            moment(request.updated_at),
            request.accessId,
          ]),
        empty: 'No campaign requests. Fire the event Campaign Request Created to add one.',
      }),
    ),
};
