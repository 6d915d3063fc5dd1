import type { RelayContext } from '../context.ts';
import { check } from '../records/check.ts';
import { findDelivery, findEvent, findSubscription, mustBeOn } from '../records/find.ts';
import {
  deliveryQuery,
  eventQuery,
  replaySubscriptionBody,
  subscriptionQuery,
} from '../records/input-schemas.ts';
import { type DeliveryRecord, listDeliveries } from '../records/list-deliveries.ts';
import { listSubscriptions } from '../records/list-subscriptions.ts';
import type { Page } from '../records/page.ts';
import { type EventRecord, listEvents } from '../records/stored-events.ts';
import { type SubscriptionRecord, subscriptionRecord } from '../records/subscription-record.ts';
import { RelayError } from '../relay-error.ts';
import { replay } from '../subscriptions/replay.ts';
import { switchByHand } from '../subscriptions/switch-by-hand.ts';
import { findSource } from './find-source.ts';
import type {
  DeliveryQuery,
  DeliveryReplay,
  EventQuery,
  EventReplay,
  SubscriptionOptions,
  SubscriptionQuery,
} from './queries.ts';

/** How many deliveries are sent again. */
export interface Replayed {
  readonly replayed: number;
}

export interface SubscriptionAdmin {
  /** Newest first. */
  list(query?: SubscriptionQuery): Promise<Page<SubscriptionRecord>>;
  /** Stops its deliveries and moves the pending ones to the dead list. */
  off(id: string, options?: SubscriptionOptions): Promise<SubscriptionRecord>;
  /** Delivers events that arrive from now on. Dead deliveries need a replay. */
  on(id: string, options?: SubscriptionOptions): Promise<SubscriptionRecord>;
}

export interface EventAdmin {
  /** Newest first. */
  list(query?: EventQuery): Promise<Page<EventRecord>>;
  replay(id: string, options?: EventReplay): Promise<Replayed>;
}

export interface DeliveryAdmin {
  /** By event, newest first. */
  list(query?: DeliveryQuery): Promise<Page<DeliveryRecord>>;
  replay(which: DeliveryReplay): Promise<Replayed>;
}

/** The command that an operator runs when a subscription is off. */
const switchOnCommand = '`subscriptions on ID`';

/** Subscriptions, events and deliveries, for operators. Each rejects with a RelayError. */
export function recordAdmin(context: RelayContext): {
  readonly subscriptions: SubscriptionAdmin;
  readonly events: EventAdmin;
  readonly deliveries: DeliveryAdmin;
} {
  const subscriptionOf = async (source: number, id: string) =>
    mustBeOn(await findSubscription(context, source, id), switchOnCommand).number;
  const switchTo =
    (state: 'active' | 'off') =>
    async (id: string, { source }: SubscriptionOptions = {}) => {
      const number = await findSource(context, source);
      await switchByHand(context, (await findSubscription(context, number, id)).number, state);
      return subscriptionRecord(await findSubscription(context, number, id));
    };
  return {
    subscriptions: {
      async list({ source, ...query } = {}) {
        const input = check(subscriptionQuery, query);
        return listSubscriptions(context, await findSource(context, source), input);
      },
      off: switchTo('off'),
      on: switchTo('active'),
    },
    events: {
      async list({ source, ...query } = {}) {
        const input = check(eventQuery, query);
        return listEvents(context, await findSource(context, source), input);
      },
      async replay(id, { source: name, subscription_id } = {}) {
        const source = await findSource(context, name);
        const { id: event } = await findEvent(context, source, id);
        const subscription =
          subscription_id === undefined ? undefined : await subscriptionOf(source, subscription_id);
        return { replayed: await replay(context, { source, event, subscription }) };
      },
    },
    deliveries: {
      async list({ source, ...query } = {}) {
        const input = check(deliveryQuery, query);
        return listDeliveries(context, await findSource(context, source), input);
      },
      async replay({ source: name, ...which }) {
        const source = await findSource(context, name);
        if ('id' in which) {
          const found = await findDelivery(context, source, which.id);
          const { number: subscription } = mustBeOn(found.subscription, switchOnCommand);
          return { replayed: await replay(context, { source, event: found.event, subscription }) };
        }
        const { subscription_id, ...range } = which;
        if (!subscription_id) {
          throw new RelayError(
            'invalid_parameter',
            'Give the id of a delivery, or subscription_id.',
          );
        }
        const subscription = await subscriptionOf(source, subscription_id);
        const input = check(replaySubscriptionBody, range);
        return { replayed: await replay(context, { source, subscription, ...input }) };
      },
    },
  };
}
