/** The error that a promise rejected with. */
export const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => {
      throw new Error(`Expected a rejection, but it gave ${JSON.stringify(value)}.`);
    },
    (error: unknown) => error,
  );
