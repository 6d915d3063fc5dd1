import type { RelayContext } from '../../context.ts';
import { lockTable } from '../../log/database/migrate.ts';
import { ProblemResponseError } from '../../log/http/problems.ts';

/**
 * The first query outgrows its memory, so it needs half a megabyte of disk: a full disk fails it,
 * while a changed row may still fit. The second waits until its commit is on the disk.
 */
const statement = `
SET LOCAL work_mem = '64kB';
SELECT count(*) FROM generate_series(1, 20000);
UPDATE ${lockTable} SET is_locked = is_locked`;

/** Read-only, disk full, over a limit of its disk, or another failure of files. */
const cannotWrite = /^(?:25006|53[14]00|58\w{3}|XX\w{3})$/;

/** Anyone can ask, and each check writes. */
const freshForMs = 1_000;

/** Checks that the database can write. Calls during a check, and shortly after a success, share its result. */
export function writeCheck(context: RelayContext): () => Promise<void> {
  let running: Promise<void> | undefined;
  let succeededAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (context.clock.now() - succeededAt < freshForMs) return;
    running ??= checkOnce(context)
      .then(() => {
        succeededAt = context.clock.now();
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}

async function checkOnce({ pool, report }: RelayContext): Promise<void> {
  try {
    await pool.query(statement);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!cannotWrite.test(code)) throw error;
    report(error);
    throw new ProblemResponseError(
      'unavailable',
      `The database of the relay cannot write (${code}). See the log of the relay for the cause, such as a full disk.`,
    );
  }
}
