import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import { HostileService } from '../support/hostile-service.ts';
import { TimeLimits } from '../support/time-limits.ts';
import { cellsOf } from './cell.ts';
import { runMatrix } from './run-matrix.ts';
import { undiciPlayer } from './undici-player.ts';

const service = new HostileService();
const limits = new TimeLimits();
let transport: UndiciTransport;

beforeAll(async () => {
  limits.install();
  transport = undiciTransport();
  await service.start();
});
afterAll(async () => {
  await transport.close();
  await service.stop();
  limits.restore();
});

it('a program keeps its promises whatever goes wrong', async () => {
  const player = undiciPlayer(transport);
  const { cells, differences } = await runMatrix(service, limits, player, cellsOf('undici'));
  expect(differences).toEqual([]);
  expect(cells).toBeGreaterThan(8000);
}, 300_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
