import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';

let shared: Running;

beforeAll(async () => {
  shared = await start();
});

it("a delivery carries the original bytes, signed for the core's verifier and for Standard Webhooks", async () => {
  const event = { id: 'evt_1', type, data: { campaign_id: 'cmp_1' } };
  const receiver = await startReceiver();
  const { relay, key, call, deliver } = shared;
  await subscribe(shared, receiver.url);
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
  const time = jest.spyOn(Date, 'now').mockImplementation(() => relay.clock.now());
  const headers = arrival?.headers as Record<string, string>;
  expect(new Webhook(key.signingSecret).verify(body, headers)).toEqual(event);
  time.mockRestore();
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

async function countOf(outcome: string): Promise<number> {
  const metrics = await (await fetch(`${shared.url}/metrics`)).text();
  const line = new RegExp(`^relay_delivery_attempts_total{outcome="${outcome}"} (\\d+)$`, 'm');
  return Number(line.exec(metrics)?.[1] ?? 0);
}

describe('a target that responds with 2xx', () => {
  it.each([
    ['duplicate', 200, 'ignored', 'duplicate'],
    ['not_wanted', 204, 'ignored', 'not_wanted'],
    ['sample', 202, 'ignored', 'sample'],
    ['because', 200, 'delivered', null],
    ['not_wanted', 500, 'pending', null],
  ] as const)('and %j beside %i leaves the delivery %s', async (said, status, state, reason) => {
    const outcome = state === 'pending' ? 'failed' : state;
    const before = await countOf(outcome);
    const receiver = await startReceiver([status]);
    receiver.answerHeaders['x-screen-advertising-ignored'] = said;
    const own = await ownSource(shared);
    const { relay, call, deliver } = own;
    const id = await subscribe(own, receiver.url);
    await deliver({ id: '1', type });
    await relay.clock.advance(0);
    const { data } = (await call('GET', `/deliveries?state=${state}&subscription_id=${id}`)).body;
    expect(data).toMatchObject([{ state, reason, attempts: [{ status }] }]);
    expect(await countOf(outcome)).toBe(before + 1);
    await relay.clock.advance(60_000);
    expect(receiver.arrivals).toHaveLength(state === 'pending' ? 2 : 1);
  });

  it('is not taken for a failing one, and a redelivery reaches it', async () => {
    const receiver = await startReceiver();
    receiver.answerHeaders['x-screen-advertising-ignored'] = 'duplicate';
    const own = await ownSource(shared);
    const { relay, call, deliver } = own;
    const id = await subscribe(own, receiver.url);
    await deliver({ id: '1', type });
    await relay.clock.advance(6 * 24 * 3_600_000);
    expect((await call('GET', `/subscriptions/${id}`)).body.state).toBe('active');
    delete receiver.answerHeaders['x-screen-advertising-ignored'];
    await call('POST', `/subscriptions/${id}/redeliver`, { states: ['ignored'] });
    await relay.clock.advance(0);
    expect((await call('GET', '/deliveries')).body.data).toMatchObject([
      { state: 'delivered', reason: null, replays: 1 },
    ]);
  });
});
