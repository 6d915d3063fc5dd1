import type { Refused } from '../fault.ts';

/** How a task fails, before the platform words it. */
export interface Failure {
  readonly code: string;
  readonly status?: number;
  readonly hasProblem?: boolean;
  readonly retryAfter?: number;
  readonly isRetryable: boolean;
}

const codes: Readonly<Record<number, string>> = {
  401: 'authentication_failed',
  403: 'missing_scope',
  404: 'not_found',
  408: 'service_error',
  409: 'conflict',
  429: 'rate_limited',
};

/** After these the same request may succeed. */
export const passing = new Set([408, 502, 503, 504]);

/** These statuses say the same without a problem document. */
const proofless: ReadonlySet<number> = new Set([401, 408, 429]);

export function failureOf({ status, hasProblem, wait }: Refused): Failure {
  const isProved = hasProblem || proofless.has(status) || status >= 500;
  const code = codes[status] ?? (status >= 500 ? 'service_error' : 'invalid_request');
  return {
    code: isProved ? code : 'unexpected_response',
    status,
    hasProblem,
    isRetryable: status === 429 || status >= 500 || status === 408,
    ...(wait !== undefined && { retryAfter: wait }),
  };
}

export const unexpected = (status: number): Failure => ({
  code: 'unexpected_response',
  status,
  isRetryable: false,
});
