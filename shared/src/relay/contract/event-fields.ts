import * as z from 'zod/mini';
import { fieldMeta, idSchema, timestampSchema } from './contract-fields.ts';

/** The fields of an event, with titles for forms. */
export const eventFields = {
  id: idSchema('evt', 'the event at the relay, sent as x-relay-event in its deliveries', 'ID'),
  type: z
    .string()
    .check(fieldMeta({ title: 'Event', description: 'Name of the event, such as campaign.paid' })),
  received_at: timestampSchema('When the relay stored it (UTC)', 'Received At'),
  data: z
    .unknown()
    .check(fieldMeta({ title: 'Data', description: 'What happened, without the envelope' })),
};
