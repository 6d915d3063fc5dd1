import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start, subscribe } from '../support/running-relay.ts';

it.each([
  [
    'name',
    'plain.example',
    'use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and plain.example is not one of them',
  ],
  [
    'address, however it is written,',
    '0x7f.1',
    'use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and 127.0.0.1 is not one of them',
  ],
])('a delivery goes to no %s that the operator no longer allows', async (_what, host, error) => {
  const { url, arrivals } = await startReceiver();
  const allowTargets = ['plain.example', '127.0.0.1'];
  const ingress = await start({ role: 'ingress', allowTargets });
  await subscribe(ingress, url.replace('127.0.0.1', host));
  await ingress.deliver({ id: '1', type: 'campaign.paid' });
  // The address of the name stays allowed, so the connection alone would not be refused.
  const { relay } = await start({
    ...ingress,
    allowTargets: host === 'plain.example' ? ['127.0.0.1'] : [],
    resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await relay.clock.advance(0);
  const { body } = await ingress.call('GET', '/deliveries');
  expect(body.data[0].attempts).toMatchObject([{ error }]);
  expect(arrivals).toEqual([]);
});
