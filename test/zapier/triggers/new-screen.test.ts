import { expect, it } from '@jest/globals';
import { useService } from '../app/use-service.ts';
import { switchOnZap } from '../app/zap.ts';

const service = useService({ screens: 230 });
const trigger = { key: 'new_screen', primary: ['id'] };

it('starts one run for each screen that is new, on whichever page', async () => {
  const zap = await switchOnZap(await service().connect(), trigger);
  expect(await zap.poll()).toEqual([]);
  service().sandbox.screens.add({ id: 'scr_a_new', city: 'Linz' });
  service().sandbox.screens.add({ id: 'scr_z_new', city: 'Graz' });
  const runs = await zap.poll();
  expect(runs.map(({ id }) => id).toSorted()).toEqual(['scr_a_new', 'scr_z_new']);
  expect(await zap.poll()).toEqual([]);
});

it('watches only the city that is filled in', async () => {
  const inputData = { city: ' Linz ' };
  const zap = await switchOnZap(await service().connect(), { ...trigger, inputData });
  service().sandbox.screens.add({ id: 'scr_linz', city: 'Linz' });
  service().sandbox.screens.add({ id: 'scr_graz', city: 'Graz' });
  expect((await zap.poll()).map(({ id }) => id)).toEqual(['scr_linz']);
});

it('watches only screens near a place, and shows the distance', async () => {
  const inputData = { near: '0, 0', radius_km: '2' };
  const zap = await switchOnZap(await service().connect(), { ...trigger, inputData });
  service().sandbox.screens.add({ id: 'scr_near', latitude: 0, longitude: 0.01 });
  service().sandbox.screens.add({ id: 'scr_far', latitude: 0, longitude: 0.02 });
  expect(await zap.poll()).toMatchObject([{ id: 'scr_near', distance_km: 1.112 }]);
});

it('reads only one page when an example is wanted', async () => {
  const zapier = await service().connect();
  service().sandbox.journal.clear();
  expect(await zapier.poll(trigger.key, {}, { isLoadingSample: true })).toHaveLength(3);
  expect(service().calls()).toEqual(['GET /screens?limit=3 200']);
});
