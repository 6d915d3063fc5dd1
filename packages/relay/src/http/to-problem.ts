import { RelayError, type RelayErrorCode } from '../relay-error.ts';
import { type ProblemKind, ProblemResponseError } from './problem-response-error.ts';

/** PostgreSQL is stopping, starting, out of connections, refuses them, or is unreachable. */
const awayCodes = /^(?:57P0\d|53\w{3}|08\w{3}|28\w{3}|3D000|55000|E[A-Z]+)$/;
const awayMessages = /timeout|terminated|Connection|closed|not queryable/i;

/** How the API reports errors of the caller. All other codes are internal errors there. */
const callerErrors: { readonly [Code in RelayErrorCode]?: readonly [number, ProblemKind] } = {
  invalid_parameter: [400, 'invalid-parameter'],
  not_found: [404, 'not-found'],
  conflict: [409, 'conflict'],
};

/** PostgreSQL cannot store U+0000 in text. */
const noText = '22021';

/** Turns unexpected errors and a lost database into problem documents. */
export function toProblem(error: unknown, report: (error: unknown) => void): Response {
  if (error instanceof ProblemResponseError) return error.toResponse();
  const callerError = error instanceof RelayError ? callerErrors[error.code] : undefined;
  if (callerError) {
    return new ProblemResponseError(...callerError, (error as Error).message).toResponse();
  }
  if ((error as { code?: string }).code === noText) {
    return new ProblemResponseError(
      400,
      'invalid-parameter',
      'A text contains the character U+0000. Remove it.',
    ).toResponse();
  }
  report(error);
  if (isAway(error)) {
    return new ProblemResponseError(
      503,
      'unavailable',
      'The database of the relay does not respond. Retry in 5 s.',
    ).toResponse();
  }
  return new ProblemResponseError(
    500,
    'internal-error',
    'Internal error in the relay. See its log for the cause.',
  ).toResponse();
}

function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return awayCodes.test(code) || (code === '' && awayMessages.test(message));
}
