import { writeSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { faultsFound } from './judge.ts';
import type { RelayPlayer } from './relay-call.ts';
import { cellsOf, labelOf, type RelayCell, relayFaults } from './relay-cell.ts';
import { RelayWorld } from './relay-world.ts';
import { SimulatedTime } from './simulated-time.ts';

/** A test for each fault: every request of a connector to the relay goes by the rule. */
export function describeRelayMatrix(name: string, { calls, close }: RelayPlayer): void {
  const service = new HostileService();
  const time = new SimulatedTime();
  const world = new RelayWorld(service, time);
  const cells = cellsOf(calls);
  let played = 0;
  let differ = 0;

  beforeAll(async () => {
    await service.start();
    time.install();
  });
  afterAll(async () => {
    time.restore();
    world.leave();
    await close?.();
    await service.stop();
    const size = `${played} cells (${calls.length} requests, ${relayFaults.length} faults)`;
    writeSync(1, `\nhostile relay, ${name}: ${size}, ${differ} differ\n`);
  });

  async function play(cell: RelayCell): Promise<string[]> {
    world.enter(cell, played);
    played += 1;
    const found = faultsFound(world, cell, await cell.call.play(world));
    return found.length > 0 ? [`${labelOf(cell)}: ${found.join('; ')}`] : [];
  }

  it.each([...relayFaults])('$name', async (fault) => {
    const differences: string[] = [];
    for (const cell of cells) if (cell.fault === fault) differences.push(...(await play(cell)));
    differ += differences.length;
    expect(differences).toEqual([]);
  });

  it('sends every request, and no redirect was followed', () => {
    expect(new Set(cells.map(({ call }) => call.name)).size).toBe(calls.length);
    expect(played).toBeGreaterThan(0.9 * relayFaults.length);
    expect(service.strayed).toEqual([]);
  });
}
