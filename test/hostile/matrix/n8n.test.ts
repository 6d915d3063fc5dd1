import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { TimeLimits } from '../support/time-limits.ts';
import { everydayCellsOf } from './cell.ts';
import { n8nPlayer } from './n8n-player.ts';
import { runMatrix } from './run-matrix.ts';

const service = new HostileService();
const limits = new TimeLimits();

beforeAll(async () => {
  limits.install();
  await service.start();
});
afterAll(async () => {
  await service.stop();
  limits.restore();
});

it('the n8n node keeps its promises whatever goes wrong', async () => {
  const played = await runMatrix(service, limits, n8nPlayer(), everydayCellsOf('n8n'));
  expect(played.differences).toEqual([]);
  expect(played.cells).toBeGreaterThan(2500);
}, 600_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
