import { RelayError, type RelayErrorCode } from '../relay-error.ts';
import { type ProblemKind, ProblemResponseError } from './problem-response-error.ts';

/** PostgreSQL is stopping, starting, out of connections, refuses them, or is unreachable. */
const awayCodes = /^(?:57P0\d|53\w{3}|08\w{3}|28\w{3}|3D000|55000|E[A-Z]+)$/;
const awayMessages = /timeout|terminated|Connection|closed|not queryable/i;

/** How the API reports errors of the caller. All other codes are internal errors there. */
const callerErrors: { readonly [Code in RelayErrorCode]?: readonly [number, ProblemKind] } = {
  invalid_parameter: [400, 'invalid-parameter'],
  forbidden: [403, 'forbidden'],
  not_found: [404, 'not-found'],
  conflict: [409, 'conflict'],
  position_gone: [410, 'position-gone'],
};

type Description = readonly [status: number, kind: ProblemKind, detail: string];

/** PostgreSQL's errors that the caller can avoid, by code. */
const databaseErrors: Readonly<Record<string, Description>> = {
  '22021': [400, 'invalid-parameter', 'A text contains the character U+0000. Remove it.'],
  // Only readers have a limit of time.
  '57014': [
    503,
    'unavailable',
    'The relay stopped this request after 5 s, because it reads too much or the database is busy. Retry it with a smaller limit, or with fewer records to search: name a time, a type, a state, a subscription or an event.',
  ],
};

/** Turns unexpected errors and a lost database into problem documents. */
export function toProblem(error: unknown, report: (error: unknown) => void): Response {
  if (error instanceof ProblemResponseError) return error.toResponse();
  if (error instanceof RelayError) {
    const { message, position } = error;
    const callerError = callerErrors[error.code];
    const members = position === undefined ? {} : { position };
    if (callerError) return new ProblemResponseError(...callerError, message).toResponse(members);
  }
  const databaseError = databaseErrors[(error as { code?: string }).code ?? ''];
  if (databaseError) return new ProblemResponseError(...databaseError).toResponse();
  report(error);
  return new ProblemResponseError(...(isAway(error) ? away : internal)).toResponse();
}

const away: Description = [
  503,
  'unavailable',
  'The database of the relay does not respond. Retry in 5 s.',
];
const internal: Description = [
  500,
  'internal-error',
  'Internal error in the relay. See its log for the cause.',
];

function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return awayCodes.test(code) || (code === '' && awayMessages.test(message));
}
