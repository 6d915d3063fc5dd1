import { momentOf } from '../../base/contract.ts';
import { ProblemResponseError } from '../../base/http.ts';
import { RelayError } from '../../base/relay-error.ts';
import { normalizeTarget } from '../../outbound/targets.ts';
import {
  findRow,
  findSubscription,
  fullRecord,
  listSubscriptions,
  subscriptionRecord,
} from '../../subscribe/records.ts';

import { redeliver, retry } from '../../subscribe/redeliver.ts';
import { scopeOf } from '../../subscribe/rights.ts';
import { sendTest } from '../../subscribe/send-test.ts';
import { checkEventNames, subscribe } from '../../subscribe/subscribe.ts';

import { switchByHand, unsubscribe } from '../../subscribe/switch-off.ts';
import type { HandlersOf } from './handler.ts';

export const subscriptionHandlers: HandlersOf<`subscriptions.${string}`> = {
  async 'subscriptions.put'({ context, caller: { source, token }, input, setStatus }) {
    const { target_url, catch_up, events: names, name, replaces, max_concurrency } = input;
    const fault = context.outbound.rules.whyNot(target_url);
    if (fault) throw new ProblemResponseError('invalid-parameter', `target_url: ${fault}.`);
    const place = { source, token, targetUrl: normalizeTarget(target_url) };
    const events = await checkEventNames(context, place, names);
    const how = { catchUp: catch_up, replaces, name, maxConcurrency: max_concurrency };
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
  'subscriptions.list': ({ context, scope, input }) => listSubscriptions(context, scope, input),
  'subscriptions.get': async ({ context, scope, id }) =>
    fullRecord(context, await findSubscription(context, scope, id)),
  async 'subscriptions.change'({ context, scope, id, input }) {
    const row = await findSubscription(context, scope, id);
    const { state, ...changed } = input;
    if (state !== undefined) await switchByHand(context, row, state);
    if (Object.keys(changed).length > 0) {
      const { db } = context;
      await db.updateTable('subscription').set(changed).where('number', '=', row.number).execute();
    }
    return fullRecord(context, await findSubscription(context, scope, id));
  },
  async 'subscriptions.delete'({ context, scope, id }) {
    await unsubscribe(context, scope, id);
    return undefined;
  },
  'subscriptions.test': async ({ context, scope, id }) =>
    sendTest(context, await findSubscription(context, scope, id)),
  async 'subscriptions.redeliver'({ context, scope, caller, id, input }) {
    const row = await findRow(context, scope, id);
    const { deliveries, states, missing, of: otherId, from, to } = input;
    const period = { from: momentOf(from), to: momentOf(to) };
    if (deliveries) return redeliver(context, row, { deliveries });
    if (states) return redeliver(context, row, { states, ...period });
    if (missing) return redeliver(context, row, { missing, ...period });
    const seen = { ...scopeOf(caller, 'see'), source: row.source_number };
    const other = await findRow(context, seen, otherId ?? '');
    if (other.number === row.number) {
      throw new RelayError('invalid_parameter', 'of must be another subscription than this one.');
    }
    return redeliver(context, row, { of: other });
  },
  async 'subscriptions.retry'({ context, scope, id, input }) {
    return retry(context, await findRow(context, scope, id), input.deliveries);
  },
};
