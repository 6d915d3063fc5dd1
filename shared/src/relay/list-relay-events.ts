import * as z from 'zod/mini';
import { events } from '../catalogue/events.ts';
import { type CatalogueEntry, defineResource } from '../catalogue/operation.ts';
import { eventFields } from './contract/event-fields.ts';
import { relayRequests } from './contract/requests.ts';

/** Lists stored events, described as a form shows it, without the envelope of each delivery. */
export const listRelayEvents: CatalogueEntry = {
  name: 'event.list',
  title: relayRequests.listEvents.title,
  description:
    'Lists the events that the relay stored, such as paid campaigns and redeemed coupons, newest first.',
  resource: defineResource('Event', 'Events', 'What the service reported to its partner.'),
  scopes: [],
  input: z.omit(relayRequests.listEvents.input, { after: true }),
  output: z.looseObject(eventFields),
  sample: {
    id: 'evt_0195501ae61072f2a0f9b9b0c1d2e3f4',
    type: 'campaign.paid',
    received_at: '2027-03-02T14:05:01.000Z',
    data: events['campaign.paid'].sample,
  },
};
