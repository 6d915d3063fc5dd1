import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { everydayCellsOf } from './cell.ts';
import { runMatrix } from './run-matrix.ts';
import { pace, zapierPlayer } from './zapier-player.ts';

const service = new HostileService();
const realTimeout = globalThis.setTimeout;

function hastyTimeout(work: () => void, ms = 0): NodeJS.Timeout {
  return realTimeout(work, ms >= 10_000 ? ms / pace.factor : ms);
}

const { memoryUsage } = process;

beforeAll(async () => {
  // Zapier ends a process of more than 450 MB, which holds all of jest here.
  process.memoryUsage = Object.assign(() => ({ ...memoryUsage(), rss: 0 }), memoryUsage);
  globalThis.setTimeout = hastyTimeout as typeof setTimeout;
  await service.start();
});
afterAll(async () => {
  globalThis.setTimeout = realTimeout;
  process.memoryUsage = memoryUsage;
  await service.stop();
});

it('the Zapier app keeps its promises whatever goes wrong', async () => {
  const { cells, differences } = await runMatrix(
    service,
    zapierPlayer(),
    everydayCellsOf('zapier'),
  );
  expect(differences).toEqual([]);
  expect(cells).toBeGreaterThan(2500);
}, 600_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
