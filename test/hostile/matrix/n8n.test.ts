import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { TimeLimits } from '../support/time-limits.ts';
import { cellsOf } from './cell.ts';
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
  const { cells, differences } = await runMatrix(service, limits, n8nPlayer(), cellsOf('n8n'));
  expect(differences).toEqual([]);
  expect(cells).toBeGreaterThan(8000);
}, 600_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
