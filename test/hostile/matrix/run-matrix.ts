import { writeSync } from 'node:fs';
import type { HostileService } from '../support/hostile-service.ts';
import type { TimeLimits } from '../support/time-limits.ts';
import { type Cell, labelOf } from './cell.ts';
import { faultsFound } from './judge.ts';
import type { Player } from './player.ts';
import { tasks } from './tasks.ts';
import { World } from './world.ts';

export interface Difference {
  readonly cell: string;
  readonly found: readonly string[];
}

const lanes = 24;

/** Plays every cell of a platform, several beside each other, and gives those that went otherwise. */
export async function runMatrix(
  service: HostileService,
  limits: TimeLimits,
  player: Player,
  cells: readonly Cell[],
): Promise<{ cells: number; differences: Difference[] }> {
  const found = new Map<Cell, string[]>();
  const work = async (waiting: Cell[]): Promise<void> => {
    const world = await World.open(service, limits);
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const faults = await playOne(player, world, cell);
      if (faults.length > 0) found.set(cell, faults);
    }
    world.leave();
    await world.sandbox.close();
  };
  const inLanes = async (waiting: Cell[], count: number): Promise<void> => {
    await Promise.all(Array.from({ length: count }, () => work(waiting)));
  };
  const isSlow = ({ fault }: Cell): boolean => fault.isSlow === true;
  await inLanes(
    cells.filter((cell) => !isSlow(cell)),
    lanes,
  );
  limits.forget();
  // One by one, so that it is clear whose time is over.
  await inLanes(cells.filter(isSlow), 1);
  print(player, cells, new Set(found.keys()));
  const differences = [...found].map(([cell, faults]) => ({ cell: labelOf(cell), found: faults }));
  return { cells: cells.length, differences };
}

async function playOne(player: Player, world: World, cell: Cell): Promise<string[]> {
  world.enter(cell);
  const played = await player.play(world, cell);
  const found = faultsFound(player, world, cell, played);
  if (!player.playAgain || cell.fault.effect.kind === 'unreachable') return found;
  // Whatever the service said, a day later nobody may still be held back by it.
  world.recover();
  await world.sandbox.clock.advance(86_400_000);
  const again = await player.playAgain(world, cell);
  return again.ends === 'answer' ? found : [...found, `a day later: ${again.ends}`];
}

/** A line for each fault: a mark for each task, a point where all went by the rule. */
function print(player: Player, cells: readonly Cell[], wrong: ReadonlySet<Cell>): void {
  const faults = [...new Set(cells.map(({ fault }) => fault))];
  const lines = faults.map((fault) => {
    const marks = tasks.map((task) => {
      const own = cells.filter((cell) => cell.fault === fault && cell.task === task);
      return own.some((cell) => wrong.has(cell)) ? 'X' : '.';
    });
    return `${marks.join('')} ${fault.name}`;
  });
  const total = `${player.platform}: ${cells.length} cells (${tasks.length} tasks, ${faults.length} faults), ${wrong.size} differ`;
  writeSync(1, `\n${['fault matrix', ...lines, total].join('\n')}\n`);
}
