import type { Pool } from 'pg';
import { lockTable } from '../database/migrate.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';

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

/** Checks that the database can write. Requests that arrive during a check share its result. */
export class WriteCheck {
  readonly #pool: Pool;
  readonly #report: (error: unknown) => void;
  #running: Promise<void> | undefined;

  constructor({ pool, report }: { pool: Pool; report: (error: unknown) => void }) {
    this.#pool = pool;
    this.#report = report;
  }

  run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #check(): Promise<void> {
    try {
      await this.#pool.query(statement);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!cannotWrite.test(code)) throw error;
      this.#report(error);
      throw new ProblemResponseError(
        503,
        'unavailable',
        `The database of the relay cannot write (${code}). See the log of the relay for the cause, such as a full disk.`,
      );
    }
  }
}
