import { ProblemResponseError } from '../../log/http/problems.ts';

/** Proxies and collectors poll every few seconds and must not wait longer. */
const maxWaitMs = 3_000;

/** Resolves with the query's result, or rejects with a 503 if it takes too long. */
export async function withinBound<Result>(
  work: Promise<Result>,
  waitMs = maxWaitMs,
): Promise<Result> {
  const detail = `The database of the relay did not respond within ${waitMs / 1000} s.`;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProblemResponseError('unavailable', detail)), waitMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
    // The work may still fail after the timeout. Without a handler, that would be unhandled.
    work.catch(() => undefined);
  }
}
