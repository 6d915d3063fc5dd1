import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import { findSubscription, mustBeOn } from '../records/find.ts';
import {
  replayMissingBody,
  replaySubscriptionBody,
  subscribeBody,
  subscriptionQuery,
} from '../records/input-schemas.ts';
import { listSubscriptions } from '../records/list-subscriptions.ts';
import { subscriptionRecord } from '../records/subscription-record.ts';
import { checkEventNames } from '../subscriptions/event-names.ts';
import { replay } from '../subscriptions/replay.ts';
import { replayMissing } from '../subscriptions/replay-missing.ts';
import { retrySubscription } from '../subscriptions/retry-deliveries.ts';
import { sendTest } from '../subscriptions/send-test.ts';
import { subscribe } from '../subscriptions/subscribe.ts';
import { unsubscribe } from '../subscriptions/unsubscribe.ts';
import type { ApiEnv } from './authenticate.ts';
import { readBody, readQuery } from './read-input.ts';

export function subscriptionRoutes(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.put('/', async (c) => {
    const { source, token } = c.get('caller');
    const body = await readBody(subscribeBody, c.req.raw);
    const { target_url: targetUrl, ends_with_key: endsWithKey, catch_up: catchUp, ...more } = body;
    const fault = context.outbound.rules.whyNot(targetUrl);
    if (fault) throw new ProblemResponseError(400, 'invalid-parameter', `target_url: ${fault}.`);
    const events = await checkEventNames(context, source, more.events);
    const { row, isNew, replaced } = await subscribe(context, {
      source,
      token,
      targetUrl,
      endsWithKey,
      catchUp,
      ...more,
      events,
    });
    return c.json({ ...subscriptionRecord(row), ...(replaced && { replaced }) }, isNew ? 201 : 200);
  });
  app.get('/', async (c) =>
    c.json(
      await listSubscriptions(
        context,
        c.get('caller').source,
        readQuery(subscriptionQuery, c.req.url),
      ),
    ),
  );
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
  app.post('/:id/test', async (c) =>
    c.json(
      await sendTest(
        context,
        await findSubscription(context, c.get('caller').source, c.req.param('id')),
      ),
    ),
  );
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const found = await findSubscription(context, source, c.req.param('id'));
    const range = await readBody(replaySubscriptionBody, c.req.raw);
    const { number: subscription } = mustBeOn(found);
    return c.json(await replay(context, { source, subscription, ...range }), 202);
  });
  app.post('/:id/retry', async (c) => {
    const found = await findSubscription(context, c.get('caller').source, c.req.param('id'));
    return c.json(await retrySubscription(context, mustBeOn(found)), 202);
  });
  app.post('/:id/replay-missing', async (c) => {
    const found = await findSubscription(context, c.get('caller').source, c.req.param('id'));
    const period = await readBody(replayMissingBody, c.req.raw);
    return c.json(await replayMissing(context, mustBeOn(found), period), 202);
  });
  return app;
}
