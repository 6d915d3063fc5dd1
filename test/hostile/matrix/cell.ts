import { tier } from '../../support/tier.ts';
import type { Fault, Platform } from './faults/fault.ts';
import { faults } from './faults/index.ts';
import { type Task, tasks } from './tasks.ts';

export type Credentials = 'API key' | 'client credentials';

/** One situation: who does what on which platform, and what goes wrong how often. */
export interface Cell {
  readonly platform: Platform;
  readonly task: Task;
  readonly fault: Fault;
  readonly credentials: Credentials;
  /** Which requests are struck: those of the task, or those for an access token. */
  readonly target: 'task' | 'token';
  readonly span: 'once' | 'always';
}

export function labelOf({ platform, task, fault, credentials, target, span }: Cell): string {
  return `${platform}: ${task.name} with ${credentials}, ${fault.name} on the ${target} ${span}`;
}

const seats: readonly Pick<Cell, 'credentials' | 'target'>[] = [
  { credentials: 'API key', target: 'task' },
  { credentials: 'client credentials', target: 'task' },
  { credentials: 'client credentials', target: 'token' },
];

/**
 * Every operation × every fault × both credentials, struck once and for good: all cells nightly.
 * For every change each task with each fault, so that all pairs occur; everyday each fault once.
 */
export function cellsOf(platform: Platform): Cell[] {
  const all = allCells(platform);
  if (tier === 'nightly') return all;
  return faults.flatMap((fault, nth) => {
    const own = all.filter((cell) => cell.fault === fault);
    if (tier === 'everyday') return own[(7 * nth) % own.length] ?? [];
    return tasks.flatMap((task, at) => {
      const line = own.filter((cell) => cell.task === task);
      return line[(at + nth) % line.length] ?? [];
    });
  });
}

function allCells(platform: Platform): Cell[] {
  return tasks.flatMap((task) =>
    faults.flatMap((fault) =>
      seats.flatMap((seat) =>
        spansOf(fault).flatMap((span) =>
          makesSense(fault, seat.target) ? [{ platform, task, fault, ...seat, span }] : [],
        ),
      ),
    ),
  );
}

/** An unreachable address never recovers. */
function spansOf({ effect }: Fault): Cell['span'][] {
  return effect.kind === 'unreachable' ? ['always'] : ['once', 'always'];
}

/** Such an address is wrong for the task and the token alike. */
function makesSense({ effect }: Fault, target: Cell['target']): boolean {
  return effect.kind !== 'unreachable' || target === 'task';
}
