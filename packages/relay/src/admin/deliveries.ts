import { check } from '../api/read-input.ts';
import type { RelayContext } from '../context.ts';
import { findDelivery, findSubscription, mustBeOn } from '../records/find.ts';
import { deliveryQuery, replaySubscriptionBody } from '../records/input-schemas.ts';
import { type DeliveryRecord, listDeliveries } from '../records/list-deliveries.ts';
import type { Page } from '../records/page.ts';
import { replay } from '../subscriptions/replay.ts';
import { findSource } from './find-source.ts';
import { type Query, switchOnCommand } from './query.ts';

/** Lists and replays deliveries, for operators. */
export class Deliveries {
  readonly #context: RelayContext;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Newest first; takes `state`, `subscription_id`, `event_id`, `limit`, `cursor` and `source`. */
  async list({ source, ...query }: Query = {}): Promise<Page<DeliveryRecord>> {
    const input = check(deliveryQuery, query);
    return listDeliveries(this.#context, await findSource(this.#context, source), input);
  }

  /** Replays one delivery by its ID, or a subscription's deliveries in `state`, `from` and `to`. */
  async replay({ id, subscription_id, source, ...range }: Query): Promise<{
    readonly replayed: number;
  }> {
    const context = this.#context;
    const number = await findSource(context, source);
    if (id !== undefined) {
      const { event, subscription } = await findDelivery(context, number, id);
      const one = {
        source: number,
        event,
        subscription: mustBeOn(subscription, switchOnCommand).number,
      };
      return { replayed: await replay(context, one) };
    }
    const { number: subscription } = mustBeOn(
      await findSubscription(context, number, subscription_id ?? ''),
      switchOnCommand,
    );
    const input = check(replaySubscriptionBody, range);
    return { replayed: await replay(context, { source: number, subscription, ...input }) };
  }
}
