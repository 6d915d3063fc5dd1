const mostTries = 5;

/** Runs a statement again when PostgreSQL ended it to break a deadlock with a sender. */
export async function retryDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = (error as { code?: string }).code === '40P01';
      if (!isDeadlock || tries === mostTries) throw error;
    }
  }
}
