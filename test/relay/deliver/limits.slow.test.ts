import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start } from '../support/running-relay.ts';

const type = 'campaign.paid';

it('the limit of deliveries at once stays when it is published again, unless that names another', async () => {
  const { url: target_url } = await startReceiver();
  const { call } = await start();
  const put = { target_url, events: [type] };
  const { body } = await call('PUT', '/subscriptions', { ...put, max_concurrency: 2 });
  await call('DELETE', `/subscriptions/${body.id}`);
  expect((await call('PUT', '/subscriptions', put)).body).toMatchObject({ max_concurrency: 2 });
  const other = await call('PUT', '/subscriptions', { ...put, max_concurrency: 3 });
  expect(other.body).toMatchObject({ max_concurrency: 3 });
});

it('a limit of 17 deliveries at once is refused', async () => {
  const { call } = await start();
  const body = { target_url: 'http://127.0.0.1:9/', events: [type], max_concurrency: 17 };
  expect((await call('PUT', '/subscriptions', body)).body).toMatchObject({
    detail: 'max_concurrency must be at most 16.',
  });
});
