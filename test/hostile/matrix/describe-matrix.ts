import { writeSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import { TimeLimits } from '../support/time-limits.ts';
import { type Cell, labelOf } from './cell.ts';
import type { Fault } from './faults/fault.ts';
import { faults } from './faults/index.ts';
import { faultsFound } from './judge.ts';
import type { Player } from './player.ts';
import { tasks } from './tasks.ts';
import { World } from './world.ts';

/** How many cells are played beside each other; those that may take as long as a try, one by one. */
const lanes = 24;

/** A test for each fault: every cell of it goes by the rule. */
export function describeMatrix(player: Player, cells: readonly Cell[]): void {
  const service = new HostileService();
  const limits = new TimeLimits();
  const worlds: World[] = [];
  let played = 0;
  let differ = 0;

  beforeAll(async () => {
    limits.install();
    await service.start();
    for (let lane = 0; lane < lanes; lane += 1) worlds.push(await World.open(service, limits));
  });
  afterAll(async () => {
    for (const world of worlds) {
      world.leave();
      await world.sandbox.close();
    }
    await player.close?.();
    await service.stop();
    limits.restore();
    const size = `${played} cells (${tasks.length} tasks, ${faults.length} faults)`;
    writeSync(1, `\nfault matrix, ${player.platform}: ${size}, ${differ} differ\n`);
  });

  async function playAll(waiting: Cell[], lane: World): Promise<string[]> {
    const differences: string[] = [];
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      played += 1;
      const found = await playOne(player, lane, cell);
      if (found.length > 0) differences.push(`${labelOf(cell)}: ${found.join('; ')}`);
    }
    lane.leave();
    return differences;
  }

  it.each<Fault>([...faults])('$name', async (fault) => {
    const waiting = cells.filter((cell) => cell.fault === fault);
    expect(waiting).not.toEqual([]);
    const used = worlds.slice(0, fault.isSlow ? 1 : lanes);
    const differences = (await Promise.all(used.map((lane) => playAll(waiting, lane)))).flat();
    limits.forget();
    differ += differences.length;
    expect(differences).toEqual([]);
  });

  it('no redirect was followed', () => {
    expect(service.strayed).toEqual([]);
  });
}

async function playOne(player: Player, world: World, cell: Cell): Promise<string[]> {
  world.enter(cell);
  const played = await player.play(world, cell);
  const found = faultsFound(player, world, cell, played);
  if (!player.playAgain || cell.fault.effect.kind === 'unreachable') return found;
  // Whatever the service said, it must not hold anyone back a day later.
  world.recover();
  await world.sandbox.clock.advance(86_400_000);
  const again = await player.playAgain(world, cell);
  return again.ends === 'answer' ? found : [...found, `a day later: ${again.ends}`];
}
