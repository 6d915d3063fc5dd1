import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tier } from '../../support/tier.ts';
import { HostileService } from '../support/hostile-service.ts';
import { SimulatedTime } from './simulated-time.ts';
import type { Cell, World } from './world.ts';

/** What is played, and how. */
export interface Matrix<One extends Cell, Where extends World<One>> {
  readonly cells: readonly One[];
  open(service: HostileService, time: SimulatedTime): Promise<Where>;
  /** What is wrong with how a cell went; nothing when it went by the rule. */
  play(world: Where, cell: One): Promise<string[]>;
  close?(): Promise<unknown>;
}

/**
 * All cells nightly. For every change each line with each fault, so that all pairs occur; everyday
 * each fault once.
 */
export function sampledCells<One extends Cell>(
  all: readonly One[],
  lineOf: (cell: One) => unknown,
): readonly One[] {
  if (tier === 'nightly') return all;
  return [...Map.groupBy(all, ({ fault }) => fault).values()].flatMap((own, nth) => {
    if (tier === 'everyday') return own[(7 * nth) % own.length] ?? [];
    const lines = [...Map.groupBy(own, lineOf).values()];
    return lines.flatMap((line, at) => line[(at + nth) % line.length] ?? []);
  });
}

/** A test for each fault: every cell of it goes by the rule. */
export function describeMatrix<One extends Cell, Where extends World<One>>(
  name: string,
  { cells, open, play, close }: Matrix<One, Where>,
): void {
  describe(name, () => {
    const service = new HostileService();
    const time = new SimulatedTime();
    let world: Where;

    beforeAll(async () => {
      time.install();
      await service.start();
      world = await open(service, time);
    });
    afterAll(async () => {
      world.leave();
      await close?.();
      await service.stop();
      time.restore();
    });

    const byFault = [...Map.groupBy(cells, ({ fault }) => fault)];
    it.each(byFault.map(([fault, own]) => ({ name: fault.name, own })))(
      '$name',
      async ({ own }) => {
        const differences: string[] = [];
        for (const cell of own) {
          world.enter(cell);
          const found = await play(world, cell);
          if (found.length > 0) differences.push(`${cell.label}: ${found.join('; ')}`);
        }
        expect(differences).toEqual([]);
      },
    );

    it('follows no redirect', () => {
      expect(service.strayed).toEqual([]);
    });
  });
}
