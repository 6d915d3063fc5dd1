import { type ErrorCode, ScreenAdvertisingError } from '@screen-advertising/core';

interface Outcome {
  readonly exitCode: number;
  readonly meaning: string;
  readonly codes?: readonly ErrorCode[];
}

export const invalidCommandLineExitCode = 2;
export const checkFailedExitCode = 9;
export const stoppedExitCode = 130;

/** The meaning of each exit code, the same for every command, for scripts and for the help. */
export const exitCodeMeanings: readonly Outcome[] = [
  { exitCode: 0, meaning: 'Success' },
  { exitCode: 1, meaning: 'Any other error' },
  {
    exitCode: invalidCommandLineExitCode,
    meaning: 'Invalid command line, field, or file',
    codes: ['invalid_input'],
  },
  {
    exitCode: 3,
    meaning: 'Wrong base URL, credentials, or scope',
    codes: ['invalid_configuration', 'authentication_failed', 'missing_scope'],
  },
  { exitCode: 4, meaning: 'Not found', codes: ['not_found'] },
  { exitCode: 5, meaning: 'Conflict, such as a coupon code that is taken', codes: ['conflict'] },
  { exitCode: 6, meaning: 'The service rejected the request', codes: ['invalid_request'] },
  {
    exitCode: 7,
    meaning: 'No usable response, or rate limit reached: retry later',
    codes: ['rate_limited', 'service_error', 'unexpected_response', 'network_error', 'timeout'],
  },
  {
    exitCode: 8,
    meaning: 'Outcome unknown: check before you retry',
    codes: ['outcome_unknown'],
  },
  {
    exitCode: checkFailedExitCode,
    meaning: 'doctor found a difference, a delivery is not verified, or a row of a file failed',
  },
  { exitCode: stoppedExitCode, meaning: 'Stopped with Ctrl-C' },
];

/** A file or value that the user has to correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return invalidCommandLineExitCode;
  if (!ScreenAdvertisingError.isInstance(error)) return 1;
  return exitCodeMeanings.find(({ codes }) => codes?.includes(error.code))?.exitCode ?? 1;
}
