import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { deliveriesOf, deliverTo } from '../deliver/scene.ts';
import { start, subscribe } from '../support/running-relay.ts';

const firstRetryMs = 5_000;

it('a name that leads to a private address at the next delivery is not followed', async () => {
  const { url } = await startReceiver();
  let address = '127.0.0.1';
  const running = await start({
    allowTargets: ['127.0.0.1'],
    resolve: (_host, callback) => callback(null, [{ address, family: 4 }]),
  });
  await deliverTo(running, 'rebound', `https://rebound.example:${new URL(url).port}/`);
  await running.relay.clock.advance(0);
  address = '127.0.0.2';
  await running.relay.clock.advance(firstRetryMs);
  const delivery = (await deliveriesOf(running)).get('rebound');
  expect(delivery?.attempts.map(({ error }) => error)).toEqual([
    // It connected, to a server without TLS.
    expect.stringMatching(/\(E\w+SSL\w+\)$/),
    'rebound.example does not resolve to a public address. The operator of the relay can allow it with the environment variable RELAY_ALLOW_TARGETS and a restart.',
  ]);
});

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
