import type { AssumptionName } from '@screen-advertising/core/contract';
import type { Bench } from './bench.ts';

/** One statement of the partner interface specification, and a check that it holds. */
export interface Row {
  /** Section of the specification. */
  readonly section: string;
  readonly says: string;
  /** What the specification leaves open here: the row must hold for every accepted variant. */
  readonly over?: readonly AssumptionName[];
  /** Replaces the sandbox's own rate limit of section 8. */
  readonly requestsPerMinute?: number;
  /** Throws when the statement does not hold for the sandbox or the client. */
  readonly check: (bench: Bench) => Promise<void>;
}

export const row = (
  section: string,
  says: string,
  check: Row['check'],
  over: readonly AssumptionName[] = [],
): Row => ({ section, says, check, over });
