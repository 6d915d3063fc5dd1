import { beforeAll, expect, it } from '@jest/globals';
import { events } from '@screen-advertising/core';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const known = Object.keys(events).join(', ');

let shared: Running;

beforeAll(async () => {
  shared = await start();
});

it('a subscription to events that do not exist is refused with those that do', async () => {
  const { call, deliver } = await ownSource(shared);
  const put = (names: string[]) =>
    call('PUT', '/subscriptions', { target_url: 'https://hooks.example.com/1', events: names });
  const { status, body } = await put(['campaign.paid', 'campaign.payd', 'toString']);
  expect([status, body.detail]).toEqual([
    400,
    `events: the service has no event "campaign.payd", "toString". Use ${known}, or "*" for all, including future ones. The relay has relay.subscription_failing, relay.subscription_off, relay.delivery_dead.`,
  ]);
  // The service may add events that this version does not know.
  await deliver({ id: '1', type: 'screen.paused' });
  expect((await put(['screen.paused', 'campaign.paid'])).status).toBe(201);
});

it('a subscription to "*" gets all events, including future ones', async () => {
  const { call, deliver, relay } = await ownSource(shared);
  const receiver = await startReceiver();
  const put = (names: string[]) =>
    call('PUT', '/subscriptions', { target_url: receiver.url, events: names });
  const first = await put(['*', 'campaign.paid']);
  expect([first.status, first.body.events]).toEqual([201, ['*']]);
  const sample = await call('POST', `/subscriptions/${first.body.id}/test`);
  expect(sample.body).toMatchObject({
    delivered: true,
    is_sample: true,
    event_type: 'campaign.paid',
  });
  await deliver({ id: '1', type: 'campaign.paid' });
  // Only events of different milliseconds have an order.
  await relay.clock.advance(1_000);
  await deliver({ id: '2', type: 'screen.paused' });
  await relay.clock.advance(0);
  expect(receiver.arrivals).toHaveLength(3);
  const test = await call('POST', `/subscriptions/${first.body.id}/test`);
  expect(test.body).toMatchObject({ is_sample: false, event_type: 'screen.paused' });
});
