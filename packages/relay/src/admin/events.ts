import { check } from '../api/read-input.ts';
import type { RelayContext } from '../context.ts';
import { findEvent, findSubscription, mustBeOn } from '../records/find.ts';
import { eventQuery } from '../records/input-schemas.ts';
import type { Page } from '../records/page.ts';
import { type EventRecord, listEvents } from '../records/stored-events.ts';
import { replay } from '../subscriptions/replay.ts';
import { findSource } from './find-source.ts';
import { type Query, switchOnCommand } from './query.ts';

/** Lists and replays stored events, for operators. */
export class Events {
  readonly #context: RelayContext;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Newest first; takes `type`, `from`, `to`, `limit`, `cursor` and `source`. */
  async list({ source, ...query }: Query = {}): Promise<Page<EventRecord>> {
    const input = check(eventQuery, query);
    return listEvents(this.#context, await findSource(this.#context, source), input);
  }

  /** Replays an event to one subscription, or to every subscription it was for. */
  async replay(
    id: string,
    { source, subscription_id }: Query = {},
  ): Promise<{ readonly replayed: number }> {
    const context = this.#context;
    const number = await findSource(context, source);
    const { id: event } = await findEvent(context, number, id);
    const subscription =
      subscription_id === undefined
        ? undefined
        : mustBeOn(await findSubscription(context, number, subscription_id), switchOnCommand)
            .number;
    return { replayed: await replay(context, { source: number, event, subscription }) };
  }
}
