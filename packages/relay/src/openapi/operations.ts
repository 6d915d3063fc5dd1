import type * as z from 'zod';
import {
  deliveryQuery,
  eventQuery,
  replayEventBody,
  replayMissingBody,
  replaySubscriptionBody,
  retryBody,
  subscribeBody,
  subscriptionQuery,
} from '../records/input-schemas.ts';
import type { ResponseName } from './schemas.ts';

export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Success statuses. Those without a schema name have no body. */
  readonly success: Readonly<Record<number, ResponseName | undefined>>;
  readonly problems: readonly (400 | 401 | 404 | 409 | 410 | 413 | 429 | 503)[];
  readonly tag: 'Service' | 'Connection' | 'Subscriptions' | 'Events' | 'Deliveries' | 'Operations';
}

const always = [401, 429, 503] as const;

/** Every route for machines, by method and path. */
export const operationsOfRelay: Readonly<Record<string, Operation>> = {
  'POST /in/{source}': {
    id: 'ingress',
    summary: 'Receive an event',
    description:
      'The address to register with the service. The relay responds after storing the event: 202, or 200 for a duplicate.',
    success: { 200: 'Stored', 202: 'Stored' },
    problems: [400, 401, 404, 413, 503],
    tag: 'Service',
  },
  'GET /api/v1/me': {
    id: 'me',
    summary: 'Test a connection',
    description: 'Name, source, and rights of the token.',
    success: { 200: 'Me' },
    problems: always,
    tag: 'Connection',
  },
  'PUT /api/v1/subscriptions': {
    id: 'subscriptions.put',
    summary: 'Subscribe',
    description:
      'Creates a subscription, or returns the one this token already has for the same target and events, and switches it on if it is off. Names of events that do not exist are rejected. It also receives the events that the subscription it replaces missed, unless that one ended more than ten minutes ago. If their targets differ, the relay sends the old target a signed POST of type relay.probe. It ends the replaced subscription only if the response is 410, a redirect to the new target, or 2xx with the new target as target_url.',
    body: subscribeBody,
    success: { 200: 'Subscription', 201: 'Subscription' },
    problems: [400, ...always, 413],
    tag: 'Subscriptions',
  },
  'GET /api/v1/subscriptions': {
    id: 'subscriptions.list',
    summary: 'List subscriptions',
    description: 'Newest first.',
    query: subscriptionQuery,
    success: { 200: 'SubscriptionPage' },
    problems: [400, ...always],
    tag: 'Subscriptions',
  },
  'GET /api/v1/subscriptions/{id}': {
    id: 'subscriptions.get',
    summary: 'Get a subscription',
    description: 'Its state says whether it receives events.',
    success: { 200: 'Subscription' },
    problems: [404, ...always],
    tag: 'Subscriptions',
  },
  'DELETE /api/v1/subscriptions/{id}': {
    id: 'subscriptions.delete',
    summary: 'Unsubscribe',
    description: 'Pending deliveries become dead. Deleting it again also returns 204.',
    success: { 204: undefined },
    problems: [404, ...always],
    tag: 'Subscriptions',
  },
  'POST /api/v1/subscriptions/{id}/test': {
    id: 'subscriptions.test',
    summary: 'Send a test',
    description:
      'Sends the newest stored event of its types, or else a sample, to the target and returns the response. Its webhook-id starts with test_. The header x-relay-test is "stored" or "sample"; a sample has "is_sample": true in its body.',
    success: { 200: 'TestResult' },
    problems: [404, ...always],
    tag: 'Subscriptions',
  },
  'POST /api/v1/subscriptions/{id}/replay': {
    id: 'subscriptions.replay',
    summary: 'Replay deliveries of a subscription',
    description:
      'All of them, those of events that arrived in a period (including from, excluding to), or those in one state, such as dead.',
    body: replaySubscriptionBody,
    success: { 202: 'Replayed' },
    problems: [400, 404, 409, ...always, 413],
    tag: 'Subscriptions',
  },
  'POST /api/v1/subscriptions/{id}/retry': {
    id: 'subscriptions.retry',
    summary: 'Retry the pending deliveries of a subscription now',
    description:
      'Makes the next attempt of every pending delivery now. Their retry schedules stay as they are.',
    success: { 202: 'Retried' },
    problems: [404, 409, ...always],
    tag: 'Subscriptions',
  },
  'POST /api/v1/subscriptions/{id}/replay-missing': {
    id: 'subscriptions.replayMissing',
    summary: 'Deliver what a subscription missed',
    description:
      'Adds a delivery of every stored event of its types in a period (including since, excluding until) that it has none of, such as events from before it existed. A second time there are none.',
    body: replayMissingBody,
    success: { 202: 'Missing' },
    problems: [400, 404, 409, ...always, 413],
    tag: 'Subscriptions',
  },
  'GET /api/v1/events': {
    id: 'events.list',
    summary: 'List events',
    description:
      'Newest first, optionally those of a period (including from, excluding to). To poll, request after=newest once, store pagination.position, and pass it as after the next time: every event is listed once, whatever the clocks say. 410 means that the relay no longer has every event since then; its position says where to continue.',
    query: eventQuery,
    success: { 200: 'EventPage' },
    problems: [400, 410, ...always],
    tag: 'Events',
  },
  'GET /api/v1/events/{id}': {
    id: 'events.get',
    summary: 'Get an event',
    description: 'Includes its whole body.',
    success: { 200: 'Event' },
    problems: [404, ...always],
    tag: 'Events',
  },
  'POST /api/v1/events/{id}/replay': {
    id: 'events.replay',
    summary: 'Replay an event',
    description:
      'To any subscription of its source, also to one that had no delivery of it yet. Without subscription_id, to all that had one and are on.',
    body: replayEventBody,
    success: { 202: 'Replayed' },
    problems: [400, 404, 409, ...always, 413],
    tag: 'Events',
  },
  'GET /api/v1/deliveries': {
    id: 'deliveries.list',
    summary: 'List deliveries',
    description: 'Deliveries of the newest events first, each with its attempts.',
    query: deliveryQuery,
    success: { 200: 'DeliveryPage' },
    problems: [400, 404, ...always],
    tag: 'Deliveries',
  },
  'GET /api/v1/deliveries/{id}': {
    id: 'deliveries.get',
    summary: 'Get a delivery',
    description: 'Includes what the target responded to each attempt.',
    success: { 200: 'Delivery' },
    problems: [404, ...always],
    tag: 'Deliveries',
  },
  'POST /api/v1/deliveries/{id}/replay': {
    id: 'deliveries.replay',
    summary: 'Replay a delivery',
    description: 'Sends it again, with the full retry schedule.',
    success: { 202: 'Replayed' },
    problems: [404, 409, ...always],
    tag: 'Deliveries',
  },
  'POST /api/v1/deliveries/retry': {
    id: 'deliveries.retrySeveral',
    summary: 'Retry several deliveries now',
    description:
      'Makes the next attempt of up to 100 pending deliveries now. Skips those that are not pending.',
    body: retryBody,
    success: { 202: 'Retried' },
    problems: [400, ...always, 413],
    tag: 'Deliveries',
  },
  'POST /api/v1/deliveries/{id}/retry': {
    id: 'deliveries.retry',
    summary: 'Retry a delivery now',
    description:
      'Makes the next attempt of a pending delivery now. Its retry schedule stays as it is.',
    success: { 202: 'Retried' },
    problems: [404, 409, ...always],
    tag: 'Deliveries',
  },
  'GET /healthz': {
    id: 'health',
    summary: 'Check that the process runs',
    description: 'Does not check the database.',
    success: { 200: 'Health' },
    problems: [],
    tag: 'Operations',
  },
  'GET /readyz': {
    id: 'readiness',
    summary: 'Check that requests can be served',
    description: 'Checks that the database can write.',
    success: { 200: 'Health' },
    problems: [503],
    tag: 'Operations',
  },
};
