import { sampledCells } from './describe-matrix.ts';
import type { Fault, Platform } from './fault.ts';
import { bodies } from './faults/bodies.ts';
import { connections } from './faults/connections.ts';
import { limits, redirects, statuses } from './faults/responses.ts';
import { type Task, tasks } from './tasks.ts';
import type { Cell } from './world.ts';

export interface ServiceCell extends Cell {
  readonly task: Task;
  readonly credentials: 'API key' | 'client credentials';
  /** Which requests are struck: those of the task, or those for an access token. */
  readonly target: 'task' | 'token';
}

export const faults: readonly Fault[] = [
  ...connections,
  ...bodies,
  ...redirects,
  ...statuses,
  ...limits,
];

const seats: readonly Pick<ServiceCell, 'credentials' | 'target'>[] = [
  { credentials: 'API key', target: 'task' },
  { credentials: 'client credentials', target: 'task' },
  { credentials: 'client credentials', target: 'token' },
];

/** Every task × every fault × both credentials, struck once and for good. */
export function serviceCells(platform: Platform): readonly ServiceCell[] {
  const all = faults.flatMap((fault) =>
    tasks.flatMap((task) =>
      seats.flatMap((seat) =>
        spansOf(fault, seat.target).map((span): ServiceCell => {
          const label = `${task.name} with ${seat.credentials}, ${fault.name} on the ${seat.target} ${span}`;
          return { label, platform, task, fault, ...seat, span };
        }),
      ),
    ),
  );
  return sampledCells(all, ({ task }) => task);
}

/** An unreachable address never recovers, and is wrong for the task and the token alike. */
function spansOf({ effect }: Fault, target: ServiceCell['target']): readonly Cell['span'][] {
  if (effect.kind !== 'unreachable') return ['once', 'always'];
  return target === 'task' ? ['always'] : [];
}
