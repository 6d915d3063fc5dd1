import type { Problem } from '@screen-advertising/core';

/** Short label of each kind of problem; the key is the last part of `type`. */
const titles = {
  'invalid-parameter': 'Invalid parameter',
  'malformed-body': 'Malformed body',
  'discount-too-large': 'Discount too large',
  'coupon-not-active': 'Coupon not active',
  unauthorized: 'Not authenticated',
  'refused-credentials': 'Credentials refused',
  'missing-scope': 'Missing scope',
  forbidden: 'Forbidden',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  'code-taken': 'Coupon code taken',
  'lead-has-coupon': 'Lead has an active coupon',
  conflict: 'Conflict',
  'body-too-large': 'Body too large',
  'unsupported-content-type': 'Unsupported content type',
  'rate-limited': 'Too many requests',
  'internal-error': 'Internal error',
  'not-saved': 'Not saved',
  fault: 'Sandbox fault',
} as const;

export type ProblemKind = keyof typeof titles;

/** A rejected request, with the problem document that says why (section 7). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    kind: ProblemKind,
    detail: string,
    extra: { headers?: Record<string, string>; members?: Record<string, unknown> } = {},
  ) {
    super(detail);
    this.status = status;
    this.headers = extra.headers ?? {};
    this.problem = {
      type: `urn:screen-advertising:problem:${kind}`,
      title: titles[kind],
      status,
      detail,
      ...extra.members,
    };
  }

  toResponse(): Response {
    return new Response(JSON.stringify(this.problem), {
      status: this.status,
      headers: { ...this.headers, 'content-type': 'application/problem+json' },
    });
  }
}
