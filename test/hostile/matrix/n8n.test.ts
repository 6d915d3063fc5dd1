import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { everydayCellsOf } from './cell.ts';
import { n8nPlayer, pace } from './n8n-player.ts';
import { runMatrix } from './run-matrix.ts';

const service = new HostileService();

const realTimeout = AbortSignal.timeout;

beforeAll(async () => {
  // A request for a token may take 30 s.
  const hasty = (ms: number): number => (ms > 10_000 ? ms / pace.factor : ms);
  AbortSignal.timeout = (ms) => realTimeout.call(AbortSignal, hasty(ms));
  await service.start();
});
afterAll(async () => {
  AbortSignal.timeout = realTimeout;
  await service.stop();
});

it('the n8n node keeps its promises whatever goes wrong', async () => {
  const { cells, differences } = await runMatrix(service, n8nPlayer(), everydayCellsOf('n8n'));
  expect(differences).toEqual([]);
  expect(cells).toBeGreaterThan(2500);
}, 600_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
