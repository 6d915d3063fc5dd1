import type { Problem } from '@screen-advertising/core';
import { RelayError, type RelayErrorCode } from '../relay-error.ts';

/** Short label of each kind of problem; the key is the last part of `type`. */
const titles = {
  'invalid-parameter': 'Invalid parameter',
  'malformed-body': 'Malformed body',
  'invalid-signature': 'Invalid signature',
  unauthorized: 'Not authenticated',
  forbidden: 'Forbidden',
  'not-found': 'Not found',
  conflict: 'Conflict',
  'position-gone': 'Position gone',
  'method-not-allowed': 'Method not allowed',
  'rate-limited': 'Rate limit reached',
  'body-too-large': 'Body too large',
  'upload-aborted': 'Upload aborted',
  'internal-error': 'Internal error',
  unavailable: 'Temporarily unavailable',
} as const;

export type ProblemKind = keyof typeof titles;

/** A rejected request, as a problem document (RFC 7807). */
export class ProblemResponseError extends Error {
  override readonly name = 'ProblemResponseError';
  readonly status: number;
  readonly kind: ProblemKind;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    kind: ProblemKind,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.#headers = headers;
    this.status = status;
    this.kind = kind;
  }

  /** `members` are further ones of the problem document. */
  toResponse(members: Readonly<Record<string, string>> = {}): Response {
    const problem: Problem = {
      type: `urn:screen-advertising:relay:problem:${this.kind}`,
      title: titles[this.kind],
      status: this.status,
      detail: this.message,
      ...members,
    };
    return new Response(JSON.stringify(problem), {
      status: this.status,
      headers: {
        'content-type': 'application/problem+json',
        ...(this.status === 401 && { 'www-authenticate': 'Bearer' }),
        ...(this.status === 503 && { 'retry-after': '5' }),
        ...this.#headers,
      },
    });
  }
}

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
