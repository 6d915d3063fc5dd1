import { html } from 'hono/html';
import { live, table } from '../parts/sections.ts';
import { badge, moment } from '../parts/values.ts';
import type { InspectorPage } from '../view.ts';

export const campaignRequestsPage: InspectorPage = {
  path: '/inspector/campaign-requests',
  title: 'Campaign requests',
  intro: 'Each access sees its own; here are those of all of them, newest first.',
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
        empty: 'There are no campaign requests. The event Campaign Request Created adds one.',
      }),
    ),
};
