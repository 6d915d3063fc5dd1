import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import { replay } from '../subscriptions/replay.ts';
import { subscribe } from '../subscriptions/subscribe.ts';
import { subscriptionRecord } from '../subscriptions/subscription-record.ts';
import { unsubscribe } from '../subscriptions/unsubscribe.ts';
import type { TargetRules } from '../targets/target-rules.ts';
import type { ApiEnv } from './authenticate.ts';
import { findSubscription } from './find.ts';
import { pageOf, readCursor } from './page.ts';
import {
  check,
  readBody,
  replaySubscriptionBody,
  subscribeBody,
  subscriptionQuery,
} from './read-input.ts';

const position = /^(\d{1,9})$/;

export function subscriptionRoutes(context: RelayContext, rules: TargetRules): Hono<ApiEnv> {
  const { db } = context;
  const app = new Hono<ApiEnv>();
  app.put('/', async (c) => {
    const { source, token } = c.get('caller');
    const { target_url: targetUrl, events, name } = await readBody(subscribeBody, c.req.raw);
    const fault = rules.whyNot(targetUrl);
    if (fault) throw new Refusal(400, 'invalid-parameter', `target_url: ${fault}.`);
    const { row, isNew } = await subscribe(context, { source, token, targetUrl, events, name });
    return c.json(subscriptionRecord(row), isNew ? 201 : 200);
  });
  app.get('/', async (c) => {
    const { limit, cursor } = check(subscriptionQuery, c.req.query());
    let query = db
      .selectFrom('subscription')
      .selectAll()
      .where('source_number', '=', c.get('caller').source)
      .where('deleted_at', 'is', null)
      .orderBy('number', 'desc')
      .limit(limit + 1);
    if (cursor !== undefined)
      query = query.where('number', '<', Number(readCursor(cursor, position)[0]));
    return c.json(
      pageOf(await query.execute(), limit, subscriptionRecord, (row) => String(row.number)),
    );
  });
  app.get('/:id', async (c) =>
    c.json(
      subscriptionRecord(
        await findSubscription(context, c.get('caller').source, c.req.param('id')),
      ),
    ),
  );
  app.delete('/:id', async (c) => {
    await unsubscribe(context, c.get('caller').source, c.req.param('id'));
    return c.body(null, 204);
  });
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const { number, state } = await findSubscription(context, source, c.req.param('id'));
    const range = await readBody(replaySubscriptionBody, c.req.raw);
    if (state === 'off') {
      throw new Refusal(
        409,
        'conflict',
        'The subscription is off. Switch it on with PUT /api/v1/subscriptions, then replay.',
      );
    }
    return c.json(
      { replayed: await replay(context, { source, subscription: number, ...range }) },
      202,
    );
  });
  return app;
}
