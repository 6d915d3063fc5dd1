import { type ErrorCode, ScreenAdvertisingError } from '@screen-advertising/core';

interface Outcome {
  readonly exitCode: number;
  readonly meaning: string;
  readonly codes?: readonly ErrorCode[];
}

/** What each exit code means, for scripts and for the help. */
export const outcomes: readonly Outcome[] = [
  { exitCode: 0, meaning: 'Success' },
  { exitCode: 1, meaning: 'Any other error' },
  { exitCode: 2, meaning: 'Invalid command line or field', codes: ['invalid_input'] },
  {
    exitCode: 3,
    meaning: 'Wrong base URL, credentials, or scope',
    codes: ['invalid_configuration', 'authentication_failed', 'missing_scope'],
  },
  {
    exitCode: 4,
    meaning: 'The service rejected the request: not found, or not allowed',
    codes: ['not_found', 'invalid_request'],
  },
  {
    exitCode: 5,
    meaning: 'No usable response, or rate limit reached: retry later',
    codes: ['rate_limited', 'service_error', 'unexpected_response', 'network_error', 'timeout'],
  },
  {
    exitCode: 6,
    meaning: 'Outcome unknown: check before you retry',
    codes: ['outcome_unknown'],
  },
  {
    exitCode: 7,
    meaning: 'Conflict: the lead has another coupon, or the code is taken',
    codes: ['conflict'],
  },
  { exitCode: 130, meaning: 'Stopped with Ctrl-C' },
];

export function exitCodeOf(error: unknown): number {
  if (!ScreenAdvertisingError.isInstance(error)) return 1;
  return outcomes.find(({ codes }) => codes?.includes(error.code))?.exitCode ?? 1;
}
