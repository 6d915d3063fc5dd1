import { describe, expect, it } from '@jest/globals';
import { events, parseEvent, verifyWebhook } from '@screen-advertising/core';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, start, subscribe } from '../support/running-relay.ts';

const kinds = ['campaign.paid', 'user.registered'];

const test = ({ call }: Running, id: string, token?: string) =>
  call('POST', `/subscriptions/${id}/test`, undefined, token);

describe('a test of a subscription', () => {
  it('sends a sample, marked and signed, while no event of its kinds is stored', async () => {
    const receiver = await startReceiver();
    const running = await start({ role: 'ingress' });
    const id = await subscribe(running, receiver.url, { events: kinds });
    await running.deliver({ id: '1', type: 'coupon.redeemed' });
    const { status, body } = await test(running, id);
    expect(status).toBe(200);
    expect(body).toEqual({
      delivered: true,
      ignored: null,
      event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      event_type: 'campaign.paid',
      is_sample: true,
      status: 200,
      error: null,
      duration_ms: expect.any(Number),
    });
    const [arrival] = receiver.arrivals;
    expect(arrival?.headers).toMatchObject({
      'x-relay-test': 'sample',
      'webhook-id': `test_${body.event_id}`,
    });
    const verified = verifyWebhook({
      body: arrival?.body ?? '',
      signature: arrival?.headers['x-service-signature'],
      secrets: [running.key.signingSecret],
      now: () => running.relay.clock.now(),
    });
    expect(verified).toMatchObject({
      id: body.event_id,
      type: 'campaign.paid',
      data: events['campaign.paid'].sample,
      payload: { is_sample: true },
    });
  });

  it('sends the newest stored event of its kinds unchanged, and stores nothing', async () => {
    const receiver = await startReceiver();
    const running = await start({ role: 'ingress' });
    for (const [nth, type] of [...kinds, 'coupon.redeemed'].entries()) {
      await running.relay.clock.advance(1);
      await running.deliver({ id: String(nth + 1), type, data: {} });
    }
    const id = await subscribe(running, receiver.url, { events: kinds });
    const { body } = await test(running, id);
    expect(body).toMatchObject({ event_type: 'user.registered', is_sample: false });
    const [arrival] = receiver.arrivals;
    expect(parseEvent(arrival?.body ?? '').id).toBe('2');
    expect(arrival?.headers).toMatchObject({
      'x-relay-test': 'stored',
      'webhook-id': `test_${body.event_id}`,
    });
    expect((await running.call('GET', `/events/${body.event_id}`)).body.payload.id).toBe('2');
    expect((await running.call('GET', '/deliveries')).body.data).toEqual([]);
  });

  it("reports the target's response, or why nothing was sent", async () => {
    const receiver = await startReceiver([410, 302, 'hang']);
    const running = await start({ deliveryTimeoutMs: 300 });
    const id = await subscribe(running, receiver.url, { events: kinds });
    for (const [status, error] of [
      [410, 'responded with status 410'],
      [302, 'responded with status 302'],
      [null, 'no response within 300 ms'],
    ]) {
      expect((await test(running, id)).body).toMatchObject({ delivered: false, status, error });
    }
    expect((await running.call('GET', `/subscriptions/${id}`)).body.state).toBe('active');
    const strict = await start({ databaseUrl: running.databaseUrl, allowTargets: [] });
    expect((await test(strict, id, running.key.token)).body).toMatchObject({
      delivered: false,
      status: null,
      error: expect.stringMatching(
        /^use https; http works only for targets in RELAY_ALLOW_TARGETS/,
      ),
    });
    expect(receiver.arrivals).toHaveLength(3);
    expect(JSON.parse(receiver.arrivals[0]?.body ?? '')).toMatchObject({ data: {} });
  });

  it('works on a subscription that is off, and leaves it off', async () => {
    const { url } = await startReceiver();
    const running = await start();
    const id = await subscribe(running, url, { events: kinds });
    await running.relay.operate('subscriptions.change', { id, state: 'off' });
    expect((await test(running, id)).body.delivered).toBe(true);
    expect((await running.call('GET', `/subscriptions/${id}`)).body.state).toBe('off');
  });
});
