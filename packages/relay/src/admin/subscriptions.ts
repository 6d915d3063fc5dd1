import { findSubscription } from '../api/find.ts';
import { subscriptionQuery } from '../api/input-schemas.ts';
import type { Page } from '../api/page.ts';
import { check } from '../api/read-input.ts';
import type { RelayContext } from '../context.ts';
import { listSubscriptions } from '../records/subscriptions.ts';
import { RelayError } from '../relay-error.ts';
import { resume } from '../subscriptions/resume.ts';
import type { SubscriptionRecord } from '../subscriptions/subscription-record.ts';
import { subscriptionRecord } from '../subscriptions/subscription-record.ts';
import { switchOff } from '../subscriptions/switch-off.ts';
import { findSource } from './find-source.ts';
import type { Query } from './query.ts';

/** Who receives events, for whoever runs the relay. */
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

  /** Ends its deliveries; what is pending goes to the dead list. */
  async off(id: string, { source }: Query = {}): Promise<SubscriptionRecord> {
    const { db, clock, tidy } = this.#context;
    const number = await findSource(this.#context, source);
    const row = await findSubscription(this.#context, number, id);
    await db
      .transaction()
      .execute((transaction) => switchOff(transaction, row.number, 'by_hand', clock.now()));
    tidy();
    return subscriptionRecord(await findSubscription(this.#context, number, id));
  }

  /** Delivers what arrives from now on; what is dead waits for a replay. */
  async on(id: string, { source }: Query = {}): Promise<SubscriptionRecord> {
    const { db } = this.#context;
    const number = await findSource(this.#context, source);
    const row = await findSubscription(this.#context, number, id);
    const switchedOn = await db.transaction().execute(async (transaction) => {
      const on = await transaction
        .updateTable('subscription')
        .set({ state: 'active', off_reason: null, failing_since: null })
        .where('number', '=', row.number)
        .where('deleted_at', 'is', null)
        .where('token_number', 'in', (query) =>
          query.selectFrom('token').select('number').where('revoked_at', 'is', null),
        )
        .returningAll()
        .executeTakeFirst();
      if (on) await resume(transaction, on.number);
      return on;
    });
    if (switchedOn) return subscriptionRecord(switchedOn);
    throw new RelayError(
      'conflict',
      'The token of this subscription was revoked. Create another, and subscribe with it.',
    );
  }
}
