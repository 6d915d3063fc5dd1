import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { start } from '../support/running-relay.ts';

const event = { id: 'evt_1', type: 'campaign.paid', data: { campaign_id: 'cmp_1' } };

describe('a delivery', () => {
  it("carries the original bytes, signed for the core's verifier and for Standard Webhooks", async () => {
    const receiver = await startReceiver();
    const { relay, key, call, deliver } = await start();
    await call('PUT', '/subscriptions', { target_url: receiver.url, events: ['campaign.paid'] });
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
        event_type: 'campaign.paid',
        attempts: [{ at: '2027-03-01T09:00:00.000Z', status: 200, error: null }],
      },
    ]);
    expect(arrival?.headers['webhook-id']).toBe(page.data[0].event_id);
  });
});
