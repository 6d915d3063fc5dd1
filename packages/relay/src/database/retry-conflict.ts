const mostTries = 5;
/** A deadlock, and a row that moved to another partition while the statement waited for it. */
const conflicts = ['40P01', '40001'];
const checkViolation = '23514';

/** Runs a statement again when PostgreSQL ended it because of another one, such as a sender's. */
export async function retryConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error as PostgresError) || tries === mostTries) throw error;
    }
  }
}

interface PostgresError {
  readonly code?: string;
  readonly constraint?: string;
}

/**
 * The bounds of a partition are a constraint without a name. The statement was about to store rows in
 * the default partition, and another one added the partition that they belong to.
 */
function isConflict({ code = '', constraint }: PostgresError): boolean {
  return conflicts.includes(code) || (code === checkViolation && constraint === undefined);
}
