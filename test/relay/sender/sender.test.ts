import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start } from '../support/running-relay.ts';

const type = 'campaign.paid';

describe('a delivery', () => {
  it("carries the original bytes, signed for the core's verifier and for Standard Webhooks", async () => {
    const event = { id: 'evt_1', type, data: { campaign_id: 'cmp_1' } };
    const receiver = await startReceiver();
    const { relay, key, call, deliver } = await start();
    await call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
    const body = ` ${JSON.stringify(event)}\n`;
    expect((await deliver(body)).status).toBe(202);
    await relay.clock.advance(0);
    const [arrival] = receiver.arrivals;
    expect(arrival?.body).toBe(body);
    expect(arrival?.headers['x-relay-attempt']).toBe('1');
    const verified = verifyWebhook({
      body,
      signature: arrival?.headers['x-service-signature'],
      secrets: [key.signingSecret],
      now: () => relay.clock.now(),
    });
    expect(verified).toMatchObject(event);
    // This verifier always uses the machine's time.
    const now = Date.now;
    Date.now = () => relay.clock.now();
    try {
      const headers = arrival?.headers as Record<string, string>;
      expect(new Webhook(key.signingSecret).verify(body, headers)).toEqual(event);
    } finally {
      Date.now = now;
    }
    const { body: page } = await call('GET', '/deliveries');
    expect(page.data).toMatchObject([
      {
        state: 'delivered',
        event_type: type,
        attempts: [{ at: '2027-03-01T09:00:00.000Z', status: 200, error: null }],
      },
    ]);
    expect(arrival?.headers['webhook-id']).toBe(page.data[0].event_id);
  });

  it('goes to no target that the operator no longer allows', async () => {
    const { url, arrivals } = await startReceiver();
    const ingress = await start({ role: 'ingress', allowTargets: ['plain.example'] });
    const target_url = `http://plain.example:${new URL(url).port}/hook`;
    await ingress.call('PUT', '/subscriptions', { target_url, events: [type] });
    await ingress.deliver({ id: '1', type });

    // The address stays allowed, so the connection alone would not be refused.
    const { relay } = await start({
      ...ingress,
      allowTargets: ['127.0.0.1'],
      resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await relay.clock.advance(0);
    const { body } = await ingress.call('GET', '/deliveries');
    expect(body.data[0].attempts).toMatchObject([
      {
        error:
          'use https; http works only for targets in RELAY_ALLOW_TARGETS, and plain.example is not one of them',
      },
    ]);
    expect(arrivals).toEqual([]);
  });
});

it('processes on one database store on one and deliver from others, each event once', async () => {
  const receivers = await Promise.all([1, 2, 3].map(() => startReceiver()));
  const ingress = await start({ role: 'ingress' });
  const sender = await start({ role: 'sender', databaseUrl: ingress.databaseUrl });
  const second = await start({ databaseUrl: ingress.databaseUrl });
  for (const { url } of receivers) {
    await ingress.call('PUT', '/subscriptions', { target_url: url, events: [type] });
  }
  const ids = Array.from({ length: 40 }, (_, id) => String(id));
  await Promise.all(ids.map((id) => ingress.deliver({ id, type })));
  await Promise.all([sender, second].map(({ relay }) => relay.clock.advance(1)));
  // One of them ran into leases that the other held.
  await sender.relay.clock.advance(1);
  await second.relay.clock.advance(1);
  expect((await sender.deliver({ id: 'x', type })).status).toBe(404);
  for (const { arrivals } of receivers) {
    expect(new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
    expect(arrivals).toHaveLength(40);
  }
});
