import * as z from 'zod/mini';
import { idFor, meta, moment } from './contract-fields.ts';

/** The fields of an event, with titles for forms. */
export const eventFields = {
  id: idFor('evt', 'the event at the relay, sent as x-relay-event in its deliveries', 'ID'),
  type: z
    .string()
    .check(meta({ title: 'Event', description: 'Name of the event, such as campaign.paid' })),
  received_at: moment('When the relay stored it (UTC)', 'Received At'),
  data: z
    .unknown()
    .check(meta({ title: 'Data', description: 'What happened, without the envelope' })),
};
