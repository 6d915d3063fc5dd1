import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { start, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';

it.each([
  ['switched off waits until it is on', { state: 'pending', reason: null }],
  ['deleted dies ten minutes later', { state: 'dead', reason: 'unsubscribed' }],
])('a delivery whose attempt fails after its subscription was %s', async (_what, expected) => {
  const running = await start({ deliveryTimeoutMs: 400 });
  const { clock, operate } = running.relay;
  const { url, arrivals } = await startReceiver(['hang']);
  const id = await subscribe(running, url);
  await running.deliver({ id: '1', type });
  await eventually(() => arrivals.length === 1, 'the event arrived');
  if (expected.state === 'pending') await operate('subscriptions.change', { id, state: 'off' });
  else await running.call('DELETE', `/subscriptions/${id}`);
  const deliveries = async () => (await running.call('GET', '/deliveries')).body.data;
  await eventually(async () => (await deliveries()).length === 1, 'the delivery exists');
  if (expected.state === 'dead') await clock.advance(600_001);
  for (const _ of ['begins', 'has ended']) await clock.advance(0);
  expect(await deliveries()).toMatchObject([{ ...expected, attempts: [{ status: null }] }]);
});
