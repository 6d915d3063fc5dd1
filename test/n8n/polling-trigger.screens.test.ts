import { expect, it } from '@jest/globals';
import {
  changesIn,
  falls,
  listed,
  period,
  rises,
  screenId,
  usePolledService,
} from './polling-bench.ts';

const service = usePolledService();

it('a screen that rises above the threshold and falls below it starts the workflow once each time', async () => {
  const poller = await service.published([rises, falls]);
  service.set(25);
  const [item, ...others] = await poller.poll();
  expect(item?.json).toEqual({
    type: rises,
    data: {
      screen_id: screenId,
      ...period,
      max_sov_pct: 100,
      used_sov_pct: 75,
      available_sov_pct: 25,
      price_per_day: 22.5,
      price_per_day_cents: 2250,
      share_pct: 10,
      previous_available_sov_pct: 0,
      screen: expect.objectContaining({ id: screenId, city: 'Berlin' }),
    },
  });
  expect(others).toEqual([]);
  expect(await poller.poll()).toEqual([]);
  service.set(30);
  expect(await poller.poll()).toEqual([]);
  service.set(5);
  expect(changesIn(await poller.poll())).toEqual([`${falls} ${screenId}`]);
  expect(await poller.poll()).toEqual([]);
  service.set(11);
  expect(changesIn(await poller.poll())).toEqual([`${rises} ${screenId}`]);
});

it('a screen that is listed for the first time starts the workflow once', async () => {
  const poller = await service.published([listed]);
  const place = { latitude: 52.52, longitude: 13.405 };
  service.sandbox.screens.add({ id: 'scr_new', city: 'Berlin', ...place });
  service.sandbox.screens.add({ id: 'scr_elsewhere', city: 'Paris', ...place });
  const [item, ...others] = await poller.poll();
  expect(item?.json).toEqual({
    type: listed,
    data: expect.objectContaining({ id: 'scr_new', city: 'Berlin' }),
  });
  expect(others).toEqual([]);
  expect(await poller.poll()).toEqual([]);
});

it('a new screen has its distance, and starts nothing if it is too far from the place', async () => {
  const near = { near: '52.5200, 13.4050', radius_km: 1 };
  const poller = await service.published([listed], { screenFilters: near });
  service.sandbox.screens.add({ id: 'scr_here', latitude: 52.52, longitude: 13.405 });
  service.sandbox.screens.add({ id: 'scr_there', latitude: 52.6, longitude: 13.405 });
  expect((await poller.poll()).map(({ json }) => json.data)).toMatchObject([
    { id: 'scr_here', distance_km: 0 },
  ]);
});
