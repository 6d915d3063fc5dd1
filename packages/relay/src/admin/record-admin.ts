import type { RelayContext } from '../context.ts';
import { check } from '../records/check.ts';
import { findDelivery, findEvent, mustBeOn } from '../records/find.ts';
import {
  deliveryQuery,
  eventQuery,
  replayMissingBody,
  replaySubscriptionBody,
  retryBody,
  subscriptionQuery,
} from '../records/input-schemas.ts';
import {
  type DeliveryRecord,
  type DeliveryWithResponses,
  getDelivery,
  listDeliveries,
} from '../records/list-deliveries.ts';
import { listSubscriptions } from '../records/list-subscriptions.ts';
import type { Page } from '../records/page.ts';
import { type EventRecord, listEvents } from '../records/stored-events.ts';
import { type SubscriptionRecord, subscriptionRecord } from '../records/subscription-record.ts';
import { RelayError } from '../relay-error.ts';
import { recover } from '../subscriptions/recover.ts';
import {
  deliverEvent,
  type Replayed,
  replayEvent,
  replaySubscription,
} from '../subscriptions/replay.ts';
import { type Missing, replayMissing } from '../subscriptions/replay-missing.ts';
import {
  type Retried,
  retryDeliveries,
  retryDelivery,
  retrySubscription,
} from '../subscriptions/retry-deliveries.ts';
import { switchByHand } from '../subscriptions/switch-by-hand.ts';
import { findByIdOrName } from './find-by-id-or-name.ts';
import { findSource } from './find-source.ts';
import type {
  DeliveryOptions,
  DeliveryQuery,
  DeliveryReplay,
  DeliveryRetry,
  EventQuery,
  EventReplay,
  MissingQuery,
  SubscriptionOptions,
  SubscriptionQuery,
} from './queries.ts';

/** The command that an operator runs when a subscription is off. */
const switchOnCommand = '`subscriptions on ID`';

export type RecordAdmin = Readonly<ReturnType<typeof recordAdmin>>;

/** Subscriptions, events and deliveries, for operators. Each rejects with a RelayError. */
export function recordAdmin(context: RelayContext) {
  const find = (source: number, id: string) => findByIdOrName(context, source, id);
  const subscriptionOf = async (source: number, id: string) =>
    mustBeOn(await find(source, id), switchOnCommand);
  const switchTo =
    (state: 'active' | 'off') =>
    async (id: string, { source }: SubscriptionOptions = {}): Promise<SubscriptionRecord> => {
      const number = await findSource(context, source);
      await switchByHand(context, (await find(number, id)).number, state);
      return subscriptionRecord(await find(number, id));
    };
  return {
    subscriptions: {
      /** Newest first. */
      async list({ source, ...query }: SubscriptionQuery = {}): Promise<Page<SubscriptionRecord>> {
        const input = check(subscriptionQuery, query);
        return listSubscriptions(context, await findSource(context, source), input);
      },
      /** Stops its deliveries. It keeps its position. */
      off: switchTo('off'),
      /** Continues where it stopped. Dead deliveries need a replay. */
      on: switchTo('active'),
      /** Delivers every stored event that it wants and has no delivery of. */
      async replayMissing(id: string, { source, ...query }: MissingQuery): Promise<Missing> {
        const period = check(replayMissingBody, query);
        const found = await subscriptionOf(await findSource(context, source), id);
        return replayMissing(context, found, period);
      },
      /** Switches it on, and sends what is pending, dead or missed now. */
      async recover(id: string, { source }: SubscriptionOptions = {}): Promise<Replayed> {
        return recover(context, await find(await findSource(context, source), id));
      },
    },
    events: {
      /** Newest first. */
      async list({ source, ...query }: EventQuery = {}): Promise<Page<EventRecord>> {
        const input = check(eventQuery, query);
        return listEvents(context, await findSource(context, source), input);
      },
      async replay(
        id: string,
        { source: name, subscription_id }: EventReplay = {},
      ): Promise<Replayed> {
        const source = await findSource(context, name);
        const event = await findEvent(context, source, id);
        if (subscription_id === undefined) return replayEvent(context, event);
        const { number } = await subscriptionOf(source, subscription_id);
        return deliverEvent(context, event, number);
      },
    },
    deliveries: {
      /** By event, newest first. */
      async list({ source, ...query }: DeliveryQuery = {}): Promise<Page<DeliveryRecord>> {
        const input = check(deliveryQuery, query);
        const number = await findSource(context, source);
        const { subscription_id } = input;
        if (subscription_id === undefined) return listDeliveries(context, number, input);
        const { id } = subscriptionRecord(await find(number, subscription_id));
        return listDeliveries(context, number, { ...input, subscription_id: id });
      },
      /** One, with what its target responded to each attempt. */
      async get(id: string, { source }: DeliveryOptions = {}): Promise<DeliveryWithResponses> {
        return getDelivery(context, await findSource(context, source), id);
      },
      async replay({ source: name, ...which }: DeliveryReplay): Promise<Replayed> {
        const source = await findSource(context, name);
        if ('id' in which) {
          const found = await findDelivery(context, source, which.id);
          const { number } = mustBeOn(found.subscription, switchOnCommand);
          return replayEvent(context, found.event, number);
        }
        const { subscription_id, ...range } = which;
        if (!subscription_id) {
          throw new RelayError(
            'invalid_parameter',
            'Give the id of a delivery, or subscription_id.',
          );
        }
        const found = await subscriptionOf(source, subscription_id);
        return replaySubscription(context, found, check(replaySubscriptionBody, range));
      },
      /** Makes the next attempt of a pending delivery, several, or all of a subscription now. */
      async retry({ source: name, ...which }: DeliveryRetry): Promise<Retried> {
        const source = await findSource(context, name);
        if ('subscription_id' in which) {
          const found = await subscriptionOf(source, which.subscription_id);
          return retrySubscription(context, found);
        }
        const [only, ...others] = which.ids;
        if (only === undefined || others.length > 0) {
          return retryDeliveries(context, source, check(retryBody, which).ids);
        }
        await findDelivery(context, source, only);
        return retryDelivery(context, source, only);
      },
    },
  };
}
