import { Refusal } from '../http/refusal.ts';

/** A proxy and a collector ask every few seconds, and must not wait for longer. */
const longestWaitMs = 3_000;

/** What the database says; a 503 when it takes too long. */
export async function withinBound<Result>(
  work: Promise<Result>,
  waitMs = longestWaitMs,
): Promise<Result> {
  const detail = `The database of the relay did not respond within ${waitMs / 1000} s.`;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(503, 'unavailable', detail)), waitMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
    // Its failure comes when nobody waits for it.
    work.catch(() => undefined);
  }
}
