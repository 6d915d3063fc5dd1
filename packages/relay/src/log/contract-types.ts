import type { RelayContract, records } from '@screen-advertising/core/relay-contract';
import type * as z from 'zod';

/** Of the relay's contract, such as `subscriptions.retry`. */
export type OperationId = keyof RelayContract;

type Schemas = typeof records;

/** What an operation takes beside an ID in its path. */
export type InputOf<Id extends OperationId> = z.output<RelayContract[Id]['input']>;

/** The body of its response. */
export type OutputOf<Id extends OperationId> =
  RelayContract[Id]['output'] extends infer Name extends keyof Schemas
    ? z.output<Schemas[Name]>
    : undefined;

/** As the API shows them. */
export type SubscriptionRecord = OutputOf<'subscriptions.get'>;
export type EventRecord = OutputOf<'events.get'>;
export type DeliveryRecord = OutputOf<'deliveries.list'>['data'][number];
export type DeliveryWithResponses = OutputOf<'deliveries.get'>;
export type TestResult = OutputOf<'subscriptions.test'>;
export type Started = OutputOf<'subscriptions.redeliver'>;
