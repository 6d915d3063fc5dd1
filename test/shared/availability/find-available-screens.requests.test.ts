import { describe, expect, it } from '@jest/globals';
import { findAvailableScreens, type ReadOptions } from '@screen-advertising/core/availability';
import { eventually } from '../../support/eventually.ts';
import { rejection, useBench } from '../support/bench.ts';
import { page, reset, silence } from '../support/steps.ts';
import {
  availabilityRoute,
  later,
  offer,
  period,
  responseOf,
  type ScriptedScreen,
} from './screens.ts';

const bench = useBench();

const find = (options?: ReadOptions) =>
  findAvailableScreens(bench.client({ retry: false }), period, options);

const screen = (id: string): ScriptedScreen => ({ id, share: 10, perDay: 100 });

describe('the search for available screens', () => {
  const sleep = () => bench.clock.sleep(50);
  const screens = Array.from({ length: 200 }, (_, at) => screen(`s${at}`));

  it('reads twenty screens at a time: 200 of them at 50 ms each take 11 responses in a row', async () => {
    let most = 0;
    const listed = page(screens, null, false);
    bench.service.on('GET /screens', later(listed, sleep));
    for (const one of screens) {
      const onWaiting = (waiting: number) => {
        most = Math.max(most, waiting);
      };
      bench.service.on(availabilityRoute(one.id), later(responseOf(one), sleep, onWaiting));
    }
    const start = bench.clock.now();
    const found = await bench.clock.run(find());
    expect(found.screens).toHaveLength(200);
    expect(bench.clock.now() - start).toBe(11 * 50);
    expect(most).toBe(20);
  });

  it('starts before the rest of the list has arrived', async () => {
    bench.service.on('GET /screens', page([{ id: 's0' }], 'next', true), silence);
    bench.service.on(availabilityRoute('s0'), responseOf(screen('s0')));
    const caller = new AbortController();
    const work = rejection(find({ signal: caller.signal }));
    await eventually(() => bench.service.receivedFor(availabilityRoute('s0')).length === 1);
    caller.abort();
    await work;
  });

  it('respects the rate limit of the client: 601 requests take more than a minute', async () => {
    const many = Array.from({ length: 600 }, (_, at) => screen(`s${at}`));
    offer(bench.service, many, 600);
    const start = bench.clock.now();
    const found = await bench.clock.run(find());
    expect(found.screens).toHaveLength(600);
    expect(bench.clock.now() - start).toBeGreaterThan(60_000);
  });

  it('retries whatever the client retries', async () => {
    offer(bench.service, [screen('a')]);
    bench.service.on(availabilityRoute('a'), reset, responseOf(screen('a')));
    const work = findAvailableScreens(bench.client(), period);
    expect((await bench.clock.run(work)).screens).toMatchObject([{ screen_id: 'a' }]);
  });
});
