import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { TimeLimits } from '../support/time-limits.ts';
import { cellsOf } from './cell.ts';
import { runMatrix } from './run-matrix.ts';
import { zapierPlayer } from './zapier-player.ts';

const service = new HostileService();
const limits = new TimeLimits();
const { memoryUsage } = process;

beforeAll(async () => {
  // Zapier ends a process of more than 450 MB, which holds all of jest here.
  process.memoryUsage = Object.assign(() => ({ ...memoryUsage(), rss: 0 }), memoryUsage);
  limits.install();
  // Reads are tried again after a wait by chance, which is short here.
  jest.spyOn(Math, 'random').mockReturnValue(0.01);
  await service.start();
});
afterAll(async () => {
  await service.stop();
  limits.restore();
  jest.restoreAllMocks();
  process.memoryUsage = memoryUsage;
});

it('the Zapier app keeps its promises whatever goes wrong', async () => {
  const { cells, differences } = await runMatrix(
    service,
    limits,
    zapierPlayer(),
    cellsOf('zapier'),
  );
  expect(differences).toEqual([]);
  expect(cells).toBeGreaterThan(8000);
}, 600_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
