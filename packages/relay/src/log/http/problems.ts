import { type ProblemOptions, ProblemResponse } from '@screen-advertising/server-kit';
import { RelayError, type RelayErrorCode } from '../../relay-error.ts';

const kinds = {
  'invalid-parameter': [400, 'Invalid parameter'],
  'malformed-body': [400, 'Malformed body'],
  'invalid-signature': [401, 'Invalid signature'],
  unauthorized: [401, 'Not authenticated'],
  forbidden: [403, 'Forbidden'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'upload-aborted': [408, 'Upload aborted'],
  conflict: [409, 'Conflict'],
  'position-gone': [410, 'Position gone'],
  'body-too-large': [413, 'Body too large'],
  'rate-limited': [429, 'Rate limit reached'],
  'internal-error': [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
} as const;

type ProblemKind = keyof typeof kinds;

/** Headers of every problem of a status. */
const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': '5' },
};

/** A rejected request, as a problem document (RFC 7807). */
export class ProblemResponseError extends ProblemResponse<ProblemKind> {
  constructor(kind: ProblemKind, detail: string, { headers, members }: ProblemOptions = {}) {
    super([kinds, 'urn:screen-advertising:relay:problem:'], kind, detail, {
      headers: { ...headersOf[kinds[kind][0]], ...headers },
      ...(members && { members }),
    });
  }
}

/** PostgreSQL is stopping, starting, out of connections, refuses them, or is unreachable. */
const awayCodes = /^(?:57P0\d|53[23]\w{2}|08\w{3}|28\w{3}|3D000|55000|E[A-Z]+)$/;
/** It is read-only, as a standby is; its disk is full, over a limit, or fails. */
const cannotWrite = /^(?:25006|53[14]00|58\w{3}|XX\w{3})$/;
const awayMessages = /timeout|terminated|Connection|closed|not queryable/i;

/** How the API reports errors of the caller. All other codes are internal errors there. */
const callerErrors: { readonly [Code in RelayErrorCode]?: ProblemKind } = {
  invalid_parameter: 'invalid-parameter',
  forbidden: 'forbidden',
  not_found: 'not-found',
  conflict: 'conflict',
  position_gone: 'position-gone',
};

type Description = readonly [kind: ProblemKind, detail: string];

/** PostgreSQL's errors that the caller can avoid, by code. */
const databaseErrors: Readonly<Record<string, Description>> = {
  '22021': ['invalid-parameter', 'A text contains the character U+0000. Remove it.'],
  // Only readers have a limit of time.
  '57014': [
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
    if (callerError)
      return new ProblemResponseError(callerError, message, { members }).toResponse();
  }
  const databaseError = databaseErrors[(error as { code?: string }).code ?? ''];
  if (databaseError) return new ProblemResponseError(...databaseError).toResponse();
  report(error);
  const { code = '' } = error as { code?: string };
  if (cannotWrite.test(code)) return new ProblemResponseError(...readOnly(code)).toResponse();
  return new ProblemResponseError(...(isAway(error) ? away : internal)).toResponse();
}

const away: Description = [
  'unavailable',
  'The database of the relay does not respond. Retry in 5 s.',
];
const readOnly = (code: string): Description => [
  'unavailable',
  `The database of the relay cannot write (${code}), such as during a failover or with a full disk. Retry in 5 s. The log of the relay has the cause.`,
];
const internal: Description = [
  'internal-error',
  'Internal error in the relay. See its log for the cause.',
];

function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return awayCodes.test(code) || (code === '' && awayMessages.test(message));
}
