import { expect, it } from '@jest/globals';
import { useBench } from '../support/bench.ts';

const bench = useBench();

it('a request is sent again after the seconds of a 503', async () => {
  bench.service.on(
    'GET /coupons/WINTER-26',
    { status: 503, headers: { 'retry-after': '2' } },
    { body: { code: 'WINTER-26' } },
  );
  const sent = () => bench.service.receivedFor('GET /coupons/WINTER-26').length;
  const coupon = bench.client().coupons.get({ code: 'WINTER-26' });
  await bench.clock.advance(1999);
  expect(sent()).toBe(1);
  await bench.clock.advance(1);
  expect(sent()).toBe(2);
  expect(await coupon).toEqual({ code: 'WINTER-26' });
});
