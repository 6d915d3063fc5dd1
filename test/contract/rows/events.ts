import { expect } from '@jest/globals';
import { type EventName, events, verifyWebhook } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import type { Arrival, Receiver } from '../../sandbox/support/receiver.ts';
import type { Bench } from '../bench.ts';
import { type Row, row } from '../row.ts';

const names = Object.keys(events) as EventName[];
const second = 1000;

function verified(bench: Bench, arrival: Arrival | undefined) {
  return verifyWebhook({
    body: arrival?.body ?? '',
    signature: String(arrival?.headers['x-service-signature'] ?? ''),
    secrets: [bench.full.signingSecret],
    now: () => bench.sandbox.clock.now(),
  });
}

async function fired(bench: Bench, name: EventName = 'user.registered'): Promise<Receiver> {
  const receiver = await bench.receiver();
  await bench.sandbox.fire(name, {});
  return receiver;
}

export const eventRows: readonly Row[] = [
  ...names.map((name) =>
    row(
      '6',
      `${name} is delivered, signed, and understood`,
      async (bench) => {
        const receiver = await bench.receiver();
        const { code, lead_email } = events['coupon.redeemed'].sample;
        const discount = { discount_type: 'percent', discount_value: 5 };
        await bench.post('/coupons', { ...discount, code, lead_email });
        await bench.sandbox.fire(name, { ...events[name].sample });
        expect(receiver.arrivals).toHaveLength(1);
        const event = verified(bench, receiver.arrivals[0]);
        expect(event.type).toBe(name);
        expect(event.data).toEqual(expect.any(Object));
      },
      ['eventName', 'eventData'],
    ),
  ),
  row('6', 'redeeming a coupon fires coupon.redeemed', async (bench) => {
    const receiver = await bench.receiver();
    const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };
    await bench.post('/coupons', { ...coupon, code: 'FIRE' });
    await bench.sandbox.fire('coupon.redeemed', { code: 'FIRE' });
    expect(verified(bench, receiver.arrivals[0]).data).toMatchObject({ code: 'FIRE' });
  }),
  row('6', "only the partner's own webhook gets an event", async (bench) => {
    const own = await bench.receiver();
    const foreign = await bench.receiver([], bench.second);
    await bench.sandbox.fire('campaign.paid', {});
    expect([own.arrivals.length, foreign.arrivals.length]).toEqual([1, 0]);
  }),
  row('6', 'the signature header is t=<seconds>,v1=<hex>', async (bench) => {
    const receiver = await fired(bench);
    const header = String(receiver.arrivals[0]?.headers['x-service-signature']);
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]+$/);
    const seconds = Number(/t=(\d+)/.exec(header)?.[1]);
    expect(Math.abs(seconds - bench.sandbox.clock.now() / second)).toBeLessThanOrEqual(1);
  }),
  row('6', 'a delivery that gets 2xx is not sent again', async (bench) => {
    const receiver = await bench.receiver([204]);
    await bench.sandbox.fire('campaign.paid', {});
    await bench.sandbox.clock.advance(3_600 * second);
    expect(receiver.arrivals).toHaveLength(1);
  }),
  row(
    '6',
    'a failed delivery is retried after 1, 5, 30, 120 and 600 s, then exhausted',
    async (bench) => {
      const receiver = await bench.receiver(Array(9).fill(500));
      await bench.sandbox.fire('campaign.paid', {});
      for (const [index, seconds] of [1, 5, 30, 120, 600].entries()) {
        await bench.sandbox.clock.advance(seconds * second - 1);
        expect(receiver.arrivals).toHaveLength(index + 1);
        await bench.sandbox.clock.advance(1);
        expect(receiver.arrivals).toHaveLength(index + 2);
      }
      expect(verified(bench, receiver.arrivals[5]).type).toBe('campaign.paid');
      await bench.sandbox.clock.advance(86_400 * second);
      expect(receiver.arrivals).toHaveLength(6);
      expect(bench.sandbox.deliveries.list().map(({ status }) => status)).toEqual(['exhausted']);
    },
    ['signatureTimestamp'],
  ),
  row('6', 'a retry that gets 2xx ends the delivery', async (bench) => {
    const receiver = await bench.receiver([503]);
    await bench.sandbox.fire('campaign.paid', {});
    await bench.sandbox.clock.advance(86_400 * second);
    expect(receiver.arrivals).toHaveLength(2);
    expect(bench.sandbox.deliveries.list().map(({ status }) => status)).toEqual(['delivered']);
  }),
  row('6', 'a redirect is a failed delivery and is not followed', async (bench) => {
    await bench.receiver([302]);
    await bench.sandbox.fire('campaign.paid', {});
    expect(bench.sandbox.deliveries.list()[0]?.status).toBe('pending');
  }),
  row(
    '6',
    'a retry is recognized as a duplicate, and another event as a new one',
    async (bench) => {
      const receiver = await bench.receiver([500]);
      await bench.sandbox.fire('campaign.paid', {});
      await bench.sandbox.clock.advance(second);
      await bench.sandbox.fire('user.registered', {});
      const keys = receiver.arrivals.map((arrival) =>
        eventKey(verified(bench, arrival), arrival.body),
      );
      expect(keys[1]).toBe(keys[0]);
      expect(keys[2]).not.toBe(keys[0]);
    },
    ['eventName', 'eventId', 'eventData'],
  ),
];
