import { ProblemResponseError } from '../http/problems.ts';
import { findRow, findSubscription } from '../records/find.ts';
import {
  changeSubscriptionBody,
  redeliverBody,
  retryBody,
  subscribeBody,
  subscriptionQuery,
} from '../records/input-schemas.ts';
import { scopeOf } from '../records/rights.ts';
import { listSubscriptions, subscriptionRecord } from '../records/subscription-rows.ts';
import { RelayError } from '../relay-error.ts';
import { checkEventNames } from '../subscriptions/event-names.ts';
import { redeliver, retry } from '../subscriptions/redeliver.ts';
import { sendTest } from '../subscriptions/send-test.ts';
import { subscribe } from '../subscriptions/subscribe.ts';
import { switchByHand } from '../subscriptions/switch-off.ts';
import { unsubscribe } from '../subscriptions/unsubscribe.ts';
import { normalizeTarget } from '../targets/normalize-target.ts';
import { operation } from './operation.ts';

export const subscriptionOperations = {
  'PUT /subscriptions': operation({
    id: 'subscriptions.put',
    summary: 'Subscribe',
    description:
      'A token has one subscription to a target, and it stays the same. PUT creates it, or sets its events and switches it on. One that was deleted more than ten minutes ago skips the events since then, and the response says how many; any other continues where it stopped. An event is wanted from the request on that first names it. What is pending of events that are left out goes to the dead list. Names of events that do not exist are rejected.',
    need: 'change',
    body: subscribeBody,
    success: { 200: 'Subscription', 201: 'Subscription' },
    async handle({ context, caller: { source, token }, readBody, setStatus }) {
      const {
        target_url,
        catch_up: catchUp,
        events: names,
        name,
        replaces,
        max_concurrency: maxConcurrency,
      } = await readBody();
      const fault = context.outbound.rules.whyNot(target_url);
      if (fault) throw new ProblemResponseError('invalid-parameter', `target_url: ${fault}.`);
      const place = { source, token, targetUrl: normalizeTarget(target_url) };
      const events = await checkEventNames(context, place, names);
      const how = { catchUp, replaces, name, maxConcurrency };
      const { row, isNew, previousEvents, skipped } = await subscribe(context, {
        ...place,
        events,
        ...how,
      });
      if (isNew) setStatus(201);
      return {
        ...subscriptionRecord(row),
        ...(previousEvents && { previous_events: [...previousEvents] }),
        ...(skipped && { skipped: { ...skipped, from: skipped.from.toISOString() } }),
      };
    },
  }),
  'GET /subscriptions': operation({
    id: 'subscriptions.list',
    summary: 'List subscriptions',
    description: 'Newest first.',
    need: 'see',
    query: subscriptionQuery,
    success: { 200: 'SubscriptionPage' },
    handle: ({ context, scope, query }) => listSubscriptions(context, scope, query),
  }),
  'GET /subscriptions/{id}': operation({
    id: 'subscriptions.get',
    summary: 'Get a subscription',
    description: 'Its state says whether it receives events.',
    need: 'see',
    success: { 200: 'Subscription' },
    handle: async ({ context, scope, id }) =>
      subscriptionRecord(await findSubscription(context, scope, id)),
  }),
  'PATCH /subscriptions/{id}': operation({
    id: 'subscriptions.change',
    summary: 'Change a subscription',
    description:
      'Switches it off or on, renames it, or limits it. A limit holds from a second later on. Off stops its deliveries and keeps its position; on continues there, with the events that arrived meanwhile. Its pending deliveries stay pending.',
    need: 'change',
    body: changeSubscriptionBody,
    success: { 200: 'Subscription' },
    problems: [409],
    async handle({ context, scope, id, readBody }) {
      const { number } = await findSubscription(context, scope, id);
      const { state, ...changed } = await readBody();
      if (state !== undefined) await switchByHand(context, number, state);
      if (Object.keys(changed).length > 0) {
        const { db } = context;
        await db.updateTable('subscription').set(changed).where('number', '=', number).execute();
      }
      return subscriptionRecord(await findSubscription(context, scope, id));
    },
  }),
  'DELETE /subscriptions/{id}': operation({
    id: 'subscriptions.delete',
    summary: 'Unsubscribe',
    description:
      'It keeps its place. A PUT within ten minutes continues there; then deliveries that were attempted without success go to the dead list. The ID counts: after another PUT, deleting an earlier one changes nothing, and returns 204, too.',
    need: 'change',
    success: { 204: undefined },
    async handle({ context, scope, id }) {
      await unsubscribe(context, scope, id);
      return undefined;
    },
  }),
  'POST /subscriptions/{id}/test': operation({
    id: 'subscriptions.test',
    summary: 'Send a test',
    description:
      'Sends the newest stored event of its types, or else a sample, to the target and returns the response. Its webhook-id starts with test_. The header x-relay-test is "stored" or "sample"; a sample has "is_sample": true in its body.',
    need: 'change',
    success: { 200: 'TestResult' },
    handle: async ({ context, scope, id }) =>
      sendTest(context, await findSubscription(context, scope, id)),
  }),
  'POST /subscriptions/{id}/redeliver': operation({
    id: 'subscriptions.redeliver',
    summary: 'Redeliver',
    description:
      'Delivers again what one of deliveries, states, missing and of names, each with a fresh retry schedule. A delivery that it had gets a new webhook-id. A period (including from, excluding to) is that of the arrival of events. Until it is done, the same request adds nothing.',
    need: 'change',
    body: redeliverBody,
    success: { 202: 'Started' },
    problems: [409],
    async handle({ context, scope, caller, id, readBody }) {
      const { number, source_number: source } = await findRow(context, scope, id);
      const { deliveries, states, missing, of, ...period } = await readBody();
      if (deliveries) return redeliver(context, number, { deliveries });
      if (states) return redeliver(context, number, { states, ...period });
      if (missing) return redeliver(context, number, { missing, ...period });
      const seen = { ...scopeOf(caller, 'see'), source };
      const other = await findRow(context, seen, of ?? '');
      if (other.number === number) {
        throw new RelayError('invalid_parameter', 'of: use another subscription than this one.');
      }
      return redeliver(context, number, { of: other });
    },
  }),
  'POST /subscriptions/{id}/retry': operation({
    id: 'subscriptions.retry',
    summary: 'Retry now',
    description:
      'Makes the next attempt of its pending deliveries now. Their retry schedules stay as they are.',
    need: 'change',
    body: retryBody,
    success: { 202: 'Started' },
    problems: [409],
    async handle({ context, scope, id, readBody }) {
      const { number } = await findRow(context, scope, id);
      return retry(context, number, (await readBody()).deliveries);
    },
  }),
};
