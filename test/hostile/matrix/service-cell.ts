import { tier } from '../../support/tier.ts';
import type { Fault, Platform } from './fault.ts';
import { bodies } from './faults/bodies.ts';
import { connections } from './faults/connections.ts';
import { encodedStatuses } from './faults/encoded-statuses.ts';
import { limits, redirects, statuses } from './faults/responses.ts';
import { type Task, tasks } from './tasks.ts';

/** One situation: what a connector does on which platform, and what goes wrong how often. */
export interface ServiceCell {
  readonly label: string;
  readonly platform: Platform;
  readonly fault: Fault;
  readonly span: 'once' | 'always';
  readonly task: Task;
  readonly credentials: 'API key' | 'client credentials';
  /** Which requests are struck: those of the task, or those for an access token. */
  readonly target: 'task' | 'token';
}

const faultsOf = (platform: Platform): readonly Fault[] =>
  platform === 'n8n' || platform === 'zapier' ? faults : [...faults, ...encodedStatuses];

const faults: readonly Fault[] = [...connections, ...bodies, ...redirects, ...statuses, ...limits];

const seats: readonly Pick<ServiceCell, 'credentials' | 'target'>[] = [
  { credentials: 'API key', target: 'task' },
  { credentials: 'client credentials', target: 'task' },
  { credentials: 'client credentials', target: 'token' },
];

/** Every task × every fault × both credentials, struck once and for good. */
export function serviceCells(platform: Platform): readonly ServiceCell[] {
  const all = faultsOf(platform).flatMap((fault) =>
    tasks.flatMap((task) =>
      seats.flatMap((seat) =>
        spansOf(fault, seat.target).map((span): ServiceCell => {
          const label = `${task.name} with ${seat.credentials}, ${fault.name} on the ${seat.target} ${span}`;
          return { label, platform, task, fault, ...seat, span };
        }),
      ),
    ),
  );
  return sampled(all);
}

/**
 * All cells nightly. For every change each task with each fault, so that all pairs occur; everyday
 * each fault once.
 */
function sampled(all: readonly ServiceCell[]): readonly ServiceCell[] {
  if (tier === 'nightly') return all;
  return [...Map.groupBy(all, ({ fault }) => fault).values()].flatMap((own, nth) => {
    if (tier === 'everyday') return own[(7 * nth) % own.length] ?? [];
    const lines = [...Map.groupBy(own, ({ task }) => task).values()];
    return lines.flatMap((line, at) => line[(at + nth) % line.length] ?? []);
  });
}

/** An unreachable address never recovers, and is wrong for the task and the token alike. */
function spansOf({ effect }: Fault, target: ServiceCell['target']): readonly ServiceCell['span'][] {
  if (effect.kind !== 'unreachable') return ['once', 'always'];
  return target === 'task' ? ['always'] : [];
}
