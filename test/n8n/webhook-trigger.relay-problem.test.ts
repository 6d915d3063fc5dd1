import { expect, it } from '@jest/globals';
import { start } from '../relay/support/running-relay.ts';
import { fire, live, openWorkflow } from './relay-bench.ts';

const minute = 60_000;

it('a problem of the relay starts a workflow that chose it, once, and no other', async () => {
  const running = await start();
  const chat = await openWorkflow(running, { events: ['relay.problem'], webhookId: '2' });
  const other = await openWorkflow(running);
  await chat.n8n.publish();
  await other.n8n.publish();
  const [{ events } = { events: [] }] = (await live(running)).filter(({ target_url }) =>
    target_url.startsWith(chat.webhookUrl),
  );
  expect(events).toEqual([
    'relay.delivery_dead',
    'relay.subscription_failing',
    'relay.subscription_off',
  ]);
  const name = 'CRM';
  const body = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'], name };
  await running.call('PUT', '/subscriptions', body);
  await fire(running, 'campaign.paid');
  await running.relay.clock.advance(6 * minute);
  await running.relay.clock.advance(minute);
  expect(chat.server.executions).toEqual([
    [
      {
        json: {
          id: expect.stringMatching(/^relay\.subscription_failing:sub_/),
          type: 'relay.subscription_failing',
          timestamp: expect.stringMatching(/^2027-03-01T09:06/),
          data: expect.objectContaining({
            message: expect.stringMatching(/^"CRM" \(127\.0\.0\.1:9\) has not accepted an event/),
            problem: 'subscription_failing',
            subscription_name: name,
          }),
        },
      },
    ],
  ]);
  expect(other.server.executions).toEqual([]);
});
