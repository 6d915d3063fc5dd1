import type { Selectable } from 'kysely';
import type { JobTable } from '../database/tables.ts';

/** Work on many deliveries of a source, in batches. */
export type Job = Omit<Selectable<JobTable>, 'number' | 'batches'>;

/** What one batch of a job has done. */
export interface Batch {
  readonly count: number;
  /** Where the next one starts; undefined if nothing is left. */
  readonly last: Pick<Job, 'after_event' | 'after_subscription'> | undefined;
}
