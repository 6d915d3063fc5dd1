import { describeMatrix } from './describe-matrix.ts';
import type { Platform } from './fault.ts';
import { faultsFound } from './judge.ts';
import type { Failure } from './rules.ts';
import { type ServiceCell, serviceCells } from './service-cell.ts';
import { ServiceWorld } from './service-world.ts';

/** What a caller met. */
export interface Played {
  /** `answer` when the right record came, otherwise the failure in the platform's words. */
  readonly ends: string;
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

export function describeService(player: Player): void {
  let opened: ServiceWorld | undefined;
  describeMatrix<ServiceCell, ServiceWorld>(player.platform, {
    cells: serviceCells(player.platform),
    async open(service, time) {
      opened = await ServiceWorld.open(service, time);
      await player.open?.(opened);
      return opened;
    },
    async play(world, cell) {
      const found = faultsFound(player, world, cell, await player.play(world, cell));
      if (!player.playAgain || cell.fault.effect.kind === 'unreachable') return found;
      // Whatever the service said, it must not hold anyone back a day later.
      world.recover();
      const again = await player.playAgain(world, cell);
      return again.ends === 'answer' ? found : [...found, `a day later: ${again.ends}`];
    },
    async close() {
      await player.close?.();
      await opened?.sandbox.close();
    },
  });
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
