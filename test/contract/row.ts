import type { AssumptionName } from '@screen-advertising/core/contract';
import type { Bench } from './bench.ts';

/** One statement of the partner interface specification, and how to see that it holds. */
export interface Row {
  /** Section of the specification. */
  readonly section: string;
  readonly says: string;
  /** What the specification leaves open here: the row must hold over every accepted variant. */
  readonly over?: readonly AssumptionName[];
  /** In place of the sandbox's own rate limit, that of section 8. */
  readonly requestsPerMinute?: number;
  /** Throws when the statement does not hold, against sandbox or client. */
  readonly check: (bench: Bench) => Promise<void>;
}

export const row = (
  section: string,
  says: string,
  check: Row['check'],
  over: readonly AssumptionName[] = [],
): Row => ({ section, says, check, over });
