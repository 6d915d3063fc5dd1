import { type ErrorCode, ScreenAdvertisingError } from '@screen-advertising/core';

interface Outcome {
  readonly exitCode: number;
  readonly words: string;
  readonly codes?: readonly ErrorCode[];
}

/** What each exit code says, for scripts and for the help. */
export const outcomes: readonly Outcome[] = [
  { exitCode: 0, words: 'It was done' },
  { exitCode: 1, words: 'Something else went wrong' },
  { exitCode: 2, words: 'The command line or a field cannot be right', codes: ['invalid_input'] },
  {
    exitCode: 3,
    words: 'The base URL, the credentials or their scope are wrong',
    codes: ['invalid_configuration', 'authentication_failed', 'missing_scope'],
  },
  {
    exitCode: 4,
    words: 'The service refused it: not found, a conflict, or not allowed',
    codes: ['not_found', 'conflict', 'invalid_request'],
  },
  {
    exitCode: 5,
    words: 'No usable answer, or the limit is used up: try again later',
    codes: ['rate_limited', 'service_error', 'unexpected_response', 'network_error', 'timeout'],
  },
  {
    exitCode: 6,
    words: 'Nobody knows whether it was done: look before trying again',
    codes: ['outcome_unknown'],
  },
  { exitCode: 130, words: 'It was stopped with Ctrl-C' },
];

export function exitCodeOf(error: unknown): number {
  if (!ScreenAdvertisingError.isInstance(error)) return 1;
  return outcomes.find(({ codes }) => codes?.includes(error.code))?.exitCode ?? 1;
}
