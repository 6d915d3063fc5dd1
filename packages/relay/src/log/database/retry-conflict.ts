const maxTries = 5;
/** A deadlock, and a row that another statement changed first. */
const conflicts = ['40P01', '40001'];

/** Runs a statement again when PostgreSQL ended it because of another one, such as a sender's. */
export async function retryConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!conflicts.includes(code) || tries === maxTries) throw error;
    }
  }
}
