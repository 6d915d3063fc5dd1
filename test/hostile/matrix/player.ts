import type { Cell } from './cell.ts';
import type { Platform } from './faults/fault.ts';
import type { Failure } from './rules.ts';
import type { World } from './world.ts';

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
  play(world: World, cell: Cell): Promise<Played>;
  /** How the platform puts a failure. */
  words(failure: Failure, cell: Cell): string;
  /** Whether the task works again once the service does. Omitted if every run starts fresh. */
  playAgain?(world: World, cell: Cell): Promise<Played>;
  /** Closes what it keeps open. */
  close?(): Promise<unknown>;
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
