import type { Kysely } from 'kysely';
import type { RelayContext } from '../context.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { Tables } from '../database/tables.ts';
import type { Job } from './job.ts';
import { replayBatch } from './replay-batch.ts';
import { replayMissingBatch } from './replay-missing-batch.ts';
import { retryBatch } from './retry-batch.ts';
import { takeOverBatch } from './take-over-batch.ts';

/** What a request got done before its response. */
export interface Started {
  readonly count: number;
  /** Whether the relay continues in the background. */
  readonly hasMore: boolean;
}

/** Rows per transaction: few enough that a request waits for a batch, and other work does not. */
const defaultBatchSize = 2_000;

/** Runs the first batch, and stores the job in the same transaction if more is left. */
export async function startJob(
  transaction: Kysely<Tables>,
  job: Job,
  now: number,
  batchSize = defaultBatchSize,
): Promise<Started> {
  const { count, last } = await runBatch(transaction, job, now, batchSize);
  if (last)
    await transaction
      .insertInto('job')
      .values({ ...job, ...last, batches: 1 })
      .execute();
  return { count, hasMore: last !== undefined };
}

/**
 * Continues the jobs of all processes, a batch of each in turn. If this process dies, the open
 * batch is rolled back, and any process continues.
 */
export async function runJobs(
  context: RelayContext,
  mustStop: () => boolean,
  batchSize = defaultBatchSize,
): Promise<void> {
  while (!mustStop() && (await retryConflict(() => runNext(context, batchSize)))) context.wake();
}

/** False if there is no job, or other processes work on all of them. */
async function runNext({ db, clock }: RelayContext, batchSize: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const job = await transaction
      .selectFrom('job')
      .selectAll()
      .orderBy('batches')
      .orderBy('number')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!job) return false;
    const { last } = await runBatch(transaction, job, clock.now(), batchSize);
    if (last) {
      await transaction
        .updateTable('job')
        .set({ ...last, batches: job.batches + 1 })
        .where('number', '=', job.number)
        .execute();
    } else {
      await transaction.deleteFrom('job').where('number', '=', job.number).execute();
    }
    return true;
  });
}

const batches = {
  replay: replayBatch,
  replay_missing: replayMissingBatch,
  retry: retryBatch,
  take_over: takeOverBatch,
} as const;

function runBatch(transaction: Kysely<Tables>, job: Job, now: number, batchSize: number) {
  return batches[job.kind](transaction, job, now, batchSize);
}
