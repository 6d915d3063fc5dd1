import { check } from '../api/read-input.ts';
import type { RelayContext } from '../context.ts';
import { findSubscription } from '../records/find.ts';
import { subscriptionQuery } from '../records/input-schemas.ts';
import { listSubscriptions } from '../records/list-subscriptions.ts';
import type { Page } from '../records/page.ts';
import type { SubscriptionRecord } from '../records/subscription-record.ts';
import { subscriptionRecord } from '../records/subscription-record.ts';
import { switchByHand } from '../subscriptions/switch-by-hand.ts';
import { findSource } from './find-source.ts';
import type { Query } from './query.ts';

/** Lists subscriptions and switches them off and on, for operators. */
export class Subscriptions {
  readonly #context: RelayContext;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Newest first; takes `limit`, `cursor` and `source`. */
  async list({ source, ...query }: Query = {}): Promise<Page<SubscriptionRecord>> {
    const input = check(subscriptionQuery, query);
    return listSubscriptions(this.#context, await findSource(this.#context, source), input);
  }

  /** Stops its deliveries and moves the pending ones to the dead list. */
  async off(id: string, query?: Query): Promise<SubscriptionRecord> {
    return this.#switch(id, 'off', query);
  }

  /** Delivers events that arrive from now on. Dead deliveries need a replay. */
  async on(id: string, query?: Query): Promise<SubscriptionRecord> {
    return this.#switch(id, 'active', query);
  }

  async #switch(
    id: string,
    state: 'active' | 'off',
    { source }: Query = {},
  ): Promise<SubscriptionRecord> {
    const number = await findSource(this.#context, source);
    const row = await findSubscription(this.#context, number, id);
    await switchByHand(this.#context, row.number, state);
    return subscriptionRecord(await findSubscription(this.#context, number, id));
  }
}
