import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HostileService } from '../support/hostile-service.ts';
import type { Platform } from './fault.ts';
import { faultsFound } from './judge.ts';
import type { Failure } from './rules/failures.ts';
import { type ServiceCell, serviceCells } from './service-cell.ts';
import { ServiceWorld } from './service-world.ts';
import { SimulatedTime } from './simulated-time.ts';

/** What a caller met. */
export interface Played {
  /** `answer` when the right record came, otherwise the failure in the platform's words. */
  readonly ends: string;
  /** The message of the failure, on a bare client. */
  readonly message?: string;
  /** All that the failure shows when it is printed. */
  readonly shown: string;
}

/** Does the tasks on one platform. */
export interface Player {
  readonly platform: Platform;
  open?(world: ServiceWorld): Promise<unknown>;
  play(world: ServiceWorld, cell: ServiceCell): Promise<Played>;
  /** How the platform puts a failure. */
  words(failure: Failure, cell: ServiceCell): string;
  /** Whether another task works once the service does. Omitted if every run starts fresh. */
  playAgain?(world: ServiceWorld, cell: ServiceCell): Promise<Played>;
  /** Closes what it keeps open. */
  close?(): Promise<unknown>;
}

/** A test for each fault: every cell of it goes by the rule. */
export function describeService(player: Player): void {
  describe(player.platform, () => {
    const service = new HostileService();
    const time = new SimulatedTime();
    let world: ServiceWorld;

    beforeAll(async () => {
      time.install();
      await service.start();
      world = await ServiceWorld.open(service, time);
      await player.open?.(world);
    });
    afterAll(async () => {
      world.leave();
      await player.close?.();
      await world.sandbox.close();
      await service.stop();
      time.restore();
    });

    const byFault = [...Map.groupBy(serviceCells(player.platform), ({ fault }) => fault)];
    it.each(byFault.map(([fault, own]) => ({ name: fault.name, own })))(
      '$name',
      async ({ own }) => {
        const differences: string[] = [];
        for (const cell of own) {
          world.enter(cell);
          const found = await play(player, world, cell);
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

/** What is wrong with how a cell went; nothing when it went by the rule. */
async function play(player: Player, world: ServiceWorld, cell: ServiceCell): Promise<string[]> {
  const found = faultsFound(player, world, cell, await player.play(world, cell));
  if (!player.playAgain || cell.fault.effect.kind === 'unreachable') return found;
  // Whatever the service said, it must not hold anyone back a day later.
  world.recover();
  const again = await player.playAgain(world, cell);
  return again.ends === 'answer' ? found : [...found, `a day later: ${again.ends}`];
}

/** The failure as the core shows it. */
export function coreMessages({ code, status, retryAfter, isRetryable }: Failure): string {
  return [
    code,
    ...(status === undefined ? [] : [status]),
    ...(retryAfter === undefined ? [] : [`after ${retryAfter} s`]),
    ...(isRetryable ? ['retryable'] : []),
  ].join(' ');
}

/** Whether the record that a task asks for is the one that came. */
export function isRight(found: unknown, right: Readonly<Record<string, unknown>>): boolean {
  const [record] = [found].flat() as (Record<string, unknown> | undefined)[];
  if (record === undefined) return false;
  // An empty response to a revocation is read as the code alone.
  return Object.entries(right).every(([name, value]) => record[name] === value);
}
