import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start } from '../support/running-relay.ts';

it('a target that the operator no longer allows gets no request', async () => {
  const { url, arrivals } = await startReceiver();
  const ingress = await start({ role: 'ingress', allowTargets: ['plain.example'] });
  const target_url = `http://plain.example:${new URL(url).port}/hook`;
  await ingress.call('PUT', '/subscriptions', { target_url, events: ['campaign.paid'] });
  await ingress.deliver({ id: '1', type: 'campaign.paid' });

  // The address stays allowed, so the connection alone would not be refused.
  const { relay, call } = await start({
    ...ingress,
    allowTargets: ['127.0.0.1'],
    resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await relay.clock.advance(0);
  const { body } = await call('GET', '/deliveries', undefined, ingress.key.token);
  expect(body.data[0].attempts).toMatchObject([
    {
      error:
        'use https; http works only for targets in RELAY_ALLOW_TARGETS, and plain.example is not one of them',
    },
  ]);
  expect(arrivals).toEqual([]);
});
