/** The error that a promise rejected with. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error(`Expected a rejection, but it gave ${JSON.stringify(value)}.`);
    },
    (error: unknown) => error,
  );
}
