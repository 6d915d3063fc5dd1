import * as z from 'zod/mini';
import { events } from '../catalogue/events.ts';
import { type FieldText, identifier, integer, text } from '../catalogue/field-types.ts';
import type { Endpoint, ResponseShape } from '../catalogue/operation.ts';
import { relayAccess, relayEvent, relaySubscription, relayTestResult } from './records.ts';

const largestPage = 200;

/** Empty texts for inputs that no form shows. */
const words: FieldText = { title: '', description: '' };
const id = z.strictObject({ id: identifier(words) });
const page = {
  limit: z.optional(
    integer(1, largestPage, {
      title: 'Limit',
      description: `Records in a page, 1 to ${largestPage}. Default: 50.`,
    }),
  ),
  cursor: z.optional(
    text({ title: 'Cursor', description: 'Where to continue: the cursor from the previous page.' }),
  ),
};

const moment = (title: string, description: string) =>
  z.optional(text({ title, description, examples: ['2027-03-01T09:00:00Z'] }));

/** Every endpoint is safe to retry: PUT sets a subscription, and a deleted one stays deleted. */
function endpoint<
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  Kind extends ResponseShape,
>(
  definition: Omit<Endpoint<Input, Output, Kind>, 'scopes' | 'recovery'>,
): Endpoint<Input, Output, Kind> {
  return { ...definition, scopes: [], recovery: 'resend' };
}

export const me = endpoint({
  title: 'Check Connector Key',
  method: 'GET',
  path: '/me',
  input: z.strictObject({}),
  output: relayAccess,
  responseShape: 'record',
  requiredFields: ['name', 'source'],
});

export const subscribe = endpoint({
  title: 'Subscribe',
  method: 'PUT',
  path: '/subscriptions',
  input: z.strictObject({
    target_url: text(words),
    events: z
      .array(text(words), 'must be a list of names of events, such as ["campaign.paid"]')
      .check(
        z.refine(({ length }) => length > 0, 'must name at least one event, such as campaign.paid'),
      ),
    name: z.optional(text(words)),
    replaces: z.optional(text(words)),
    catch_up: z.optional(z.boolean()),
    max_concurrency: z.optional(integer(1, 16, words)),
  }),
  output: relaySubscription,
  responseShape: 'record',
  requiredFields: ['id', 'state'],
});

export const getSubscription = endpoint({
  title: 'Get Subscription',
  method: 'GET',
  path: '/subscriptions/{id}',
  input: id,
  output: relaySubscription,
  responseShape: 'record',
  requiredFields: ['id', 'state'],
});

export const listSubscriptions = endpoint({
  title: 'List Subscriptions',
  method: 'GET',
  path: '/subscriptions',
  input: z.strictObject({ ...page, target_url: z.optional(text(words)) }),
  output: relaySubscription,
  responseShape: 'page',
  requiredFields: ['id', 'state'],
});

export const unsubscribe = endpoint({
  title: 'Unsubscribe',
  method: 'DELETE',
  path: '/subscriptions/{id}',
  body: 'none',
  allowsEmptyResponse: true,
  input: id,
  output: z.looseObject({}),
  responseShape: 'record',
});

export const sendTest = endpoint({
  title: 'Send Test Event',
  method: 'POST',
  path: '/subscriptions/{id}/test',
  body: 'none',
  input: id,
  output: relayTestResult,
  responseShape: 'record',
  requiredFields: ['event_id', 'event_type'],
});

export const listEvents = endpoint({
  title: 'List Events',
  method: 'GET',
  path: '/events',
  input: z.strictObject({
    type: z.optional(
      text({
        title: 'Event',
        description: `Only events of this kind: ${Object.keys(events).join(', ')}.`,
        examples: ['campaign.paid'],
      }),
    ),
    from: moment('From', 'Only events stored at this time or later, with its time zone.'),
    to: moment('To', 'Only events stored before this time, with its time zone.'),
    after: z.optional(text(words)),
    ...page,
  }),
  output: relayEvent,
  responseShape: 'page',
  requiredFields: ['id', 'type', 'received_at'],
});

export const getEvent = endpoint({
  title: 'Get Event',
  method: 'GET',
  path: '/events/{id}',
  input: id,
  output: relayEvent,
  responseShape: 'record',
  requiredFields: ['id', 'type', 'received_at'],
});
