import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { undiciTransport } from '@screen-advertising/core/undici';
import { HostileService } from '../support/hostile-service.ts';
import { cellsOf } from './cell.ts';
import { runMatrix } from './run-matrix.ts';
import { undiciPlayer } from './undici-player.ts';

const service = new HostileService();
const transport = undiciTransport();

beforeAll(() => service.start());
afterAll(async () => {
  await transport.close();
  await service.stop();
});

it('a program keeps its promises whatever goes wrong', async () => {
  const { cells, differences } = await runMatrix(
    service,
    undiciPlayer(transport),
    cellsOf('undici'),
  );
  expect(differences).toEqual([]);
  expect(cells).toBeGreaterThan(8000);
}, 120_000);

it('no redirect was followed', () => {
  expect(service.strayed).toEqual([]);
});
