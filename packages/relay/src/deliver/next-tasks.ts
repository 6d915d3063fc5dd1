import type { Lease } from './leases.ts';
import { batchSize } from './read-statements.ts';
import type { Readers, Reading } from './readers.ts';
import type { Due, Move } from './work.ts';

/** An event to attempt, and where its readers are afterwards. */
export interface Task {
  readonly due: Due;
  after(): readonly Move[];
}

/** What may have more to attempt. */
export type Sources = Pick<Lease, 'isBehind' | 'hasRetry' | 'hasJob'>;

/** Retries, the log and jobs in turn, so that none of them waits for another to end. */
export async function nextTasks(readers: Readers, lease: Lease, left: Sources) {
  const none: Reading = { due: [], hasMore: false };
  const [retries, log, job] = await Promise.all([
    left.hasRetry ? readers.retries(lease) : none,
    left.isBehind ? readers.log(lease) : none,
    left.hasJob ? readers.job(lease) : none,
  ]);
  const readings = [retries, log, job];
  const tasks = new Map<string, Task>();
  for (let nth = 0; nth < batchSize; nth += 1) {
    for (const { due, progress } of readings) {
      const one = due[nth];
      const known = one && tasks.get(one.position);
      if (!one || (!known && tasks.size >= batchSize)) continue;
      // One attempt of an event that two readers read moves both.
      tasks.set(one.position, {
        // A redelivery has a new ID and schedule.
        due: known && known.due.replays >= one.replays ? known.due : one,
        after: () => [...(known?.after() ?? []), ...(progress?.after(one) ?? [])],
      });
    }
  }
  return {
    tasks: [...tasks.values()],
    // Past what needs no attempt.
    moves: readings.flatMap(({ progress }) => progress?.after() ?? []),
    sources: {
      hasRetry: retries.hasMore || isCut(retries.due, tasks),
      isBehind: log.hasMore || isCut(log.due, tasks),
      hasJob: job.hasMore || isCut(job.due, tasks),
    },
  };
}

function isCut(due: readonly Due[], tasks: ReadonlyMap<string, Task>): boolean {
  return due.some(({ position }) => !tasks.has(position));
}
