import { ScreenAdvertisingError } from '@screen-advertising/core';
import { deadlineMs } from './limits.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Work of many requests, within the time of one run; it hands the signal to the client. Throws
 * ScreenAdvertisingError (`timeout`).
 */
export async function withinTime<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = timeLimit(deadlineMs);
  try {
    return await work(limit.signal);
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new ScreenAdvertisingError(
      'timeout',
      `${title} was not complete after ${deadlineMs / 1000} s. Narrow it with the other fields.`,
      { isRetryable: true, cause: error },
    );
  } finally {
    limit.stop();
  }
}
