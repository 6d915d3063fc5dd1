import type { Variants } from '@screen-advertising/core/contract';
import type { Accesses } from '../access/access.ts';
import type { Limits } from '../access/limits.ts';
import type { LimitedClock } from './sandbox-clock.ts';
import type { Store } from './store.ts';

/** The objects that the parts of one sandbox share. */
export interface SandboxContext {
  readonly accesses: Accesses;
  readonly variants: Variants;
  readonly clock: LimitedClock;
  readonly store: Store;
  readonly limits: Limits;
  /** Aborts when the sandbox is closed. */
  readonly closed: AbortSignal;
  /** Called after every change, to update the state file. */
  readonly changed: () => void;
  /** Called with a line for each request and each attempt of a delivery. */
  readonly log: (line: string) => void;
}

/** The clock's time, formatted like the service's timestamps. */
export function timestamp({ clock }: Pick<SandboxContext, 'clock'>): string {
  return new Date(clock.now()).toISOString();
}
