import type { Problem } from '@screen-advertising/core';

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
