import type { AssumptionVariants } from '@screen-advertising/core/contract';
import type { PartnerAccesses } from '../access/access.ts';
import type { RateLimits } from '../access/limits.ts';
import type { ClockWithinLimits } from './sandbox-clock.ts';
import type { Store } from './store.ts';

/** The objects that the parts of one sandbox share. */
export interface SandboxContext {
  readonly accesses: PartnerAccesses;
  readonly variants: AssumptionVariants;
  readonly clock: ClockWithinLimits;
  readonly store: Store;
  readonly limits: RateLimits;
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
