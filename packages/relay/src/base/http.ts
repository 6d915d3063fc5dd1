import { type ProblemOptions, ProblemResponse, readBody } from '@screen-advertising/server-kit';
import { RelayError, type RelayErrorCode } from './relay-error.ts';

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

/** Bytes of large bodies that this process is still reading. Strangers can send them, too. */
const maxHeld = 64 * 1024 * 1024;
/** A smaller one takes no more memory than its connection. */
const smallest = 16 * 1024;

/** How to end each large one that is being read, the oldest first. */
const readings = new Set<() => void>();
let held = 0;

/**
 * Reads the raw body, up to the limit. What counts is what was received, not what a request announces.
 * When all large ones together are too much, the one that takes longest ends with a 503: a sender that
 * holds back the rest delays no honest one.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  const isLarge = announced === null || Number(announced) > smallest;
  if (!isLarge || Number(announced) > limit || !request.body) {
    return readBody(request, limit, ProblemResponseError);
  }
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let received = 0;
  const tooMany = Promise.withResolvers<never>();
  tooMany.promise.catch(() => undefined);
  const end = () => {
    if (!readings.delete(end)) return;
    held -= received;
    void reader.cancel().catch(() => undefined);
    tooMany.reject(busy());
  };
  readings.add(end);
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), tooMany.promise]);
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
      received += value.length;
      held += value.length;
      if (received > limit) {
        throw new ProblemResponseError('body-too-large', `The body is longer than ${limit} bytes.`);
      }
      if (held > maxHeld) [...readings][0]?.();
    }
  } catch (error) {
    if (error instanceof ProblemResponseError) throw error;
    const detail = 'The connection closed before the end of the body.';
    throw new ProblemResponseError('upload-aborted', detail);
  } finally {
    if (readings.delete(end)) held -= received;
  }
}

function busy(): ProblemResponseError {
  return new ProblemResponseError(
    'unavailable',
    'The relay is reading too many large requests. Retry in 5 s.',
  );
}

/** Proxies and collectors poll every few seconds and must not wait longer. */
const maxWaitMs = 3_000;

/** Resolves with the query's result, or rejects with a 503 if it takes too long. */
export async function withQueryTimeLimit<Result>(
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
