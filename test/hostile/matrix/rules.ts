import { type Effect, effectOf, type Platform } from './fault.ts';
import type { ServiceCell } from './service-cell.ts';

/** How a task fails, before the platform words it. */
export interface Failure {
  readonly code: string;
  readonly status?: number;
  readonly hasProblem?: boolean;
  readonly retryAfter?: number;
  readonly isRetryable: boolean;
}

/** Where chance decides. */
export type Span = readonly [least: number, most: number];

export interface Expected {
  readonly ends: 'answer' | Failure;
  readonly requests: number | Span;
  /** A kept connection that turns out to be closed costs no try, once. */
  readonly mayReconnect?: boolean;
  readonly tokens: number | Span;
  readonly applied: 0 | 1;
}

/** How patient a platform lets the client be. */
interface Policy {
  /** Tries of one request. */
  readonly attempts: number;
  /** Seconds that a task may wait in all. */
  readonly patience: number;
  /**
   * Tries of a request that is limited for good, if the service names no wait. A pause is from 0 to
   * 20 s long, so about 23 of them fill the patience of 180 s.
   */
  readonly untimed: Span;
  /** Tries for an access token: of failures that pass, of the others, and if limited for good. */
  readonly tokenAttempts: {
    readonly passing: number;
    readonly internal: number;
    readonly limited?: number;
  };
}

const core: Policy = {
  attempts: 4,
  patience: 180,
  untimed: [12, 40],
  tokenAttempts: { passing: 4, internal: 4 },
};

const policies: Record<Platform, Policy> = {
  'node:http': core,
  undici: core,
  fetch: core,
  n8n: {
    attempts: 4,
    patience: 900,
    untimed: [70, 130],
    tokenAttempts: { passing: 4, internal: 4, limited: 4 },
  },
  // Reads only; no wait that the service asks for is as short.
  zapier: {
    attempts: 3,
    patience: 0.9,
    untimed: [3, 30],
    tokenAttempts: { passing: 1, internal: 1 },
  },
};

/** Zapier itself retries runs, so within one run the client retries neither changes nor tokens. */
const once: Policy = {
  attempts: 1,
  patience: 0,
  untimed: [1, 1],
  tokenAttempts: { passing: 1, internal: 1 },
};

function policyOf(cell: ServiceCell): Policy {
  const isOnce = cell.platform === 'zapier' && (isChange(cell) || cell.target === 'token');
  return isOnce ? once : policies[cell.platform];
}

type Lost = Extract<Effect, { kind: 'lost' }>;
type Refused = Extract<Effect, { kind: 'refused' }>;

/** The rule that every cell of the matrix must follow. */
export function expected(cell: ServiceCell): Expected {
  return cell.target === 'token' ? ofToken(cell) : ofTask(cell);
}

const isChange = ({ task }: ServiceCell): boolean => task.change !== 'nothing';

function succeeds(
  cell: ServiceCell,
  requests: number | Span = 1,
  tokens: number | Span = tokensOf(cell),
): Expected {
  return { ends: 'answer', requests, tokens, applied: isChange(cell) ? 1 : 0 };
}

/** With client credentials a token is fetched once and kept; Zapier has it before the task. */
function tokensOf({ credentials, platform }: ServiceCell): number {
  return credentials === 'API key' || platform === 'zapier' ? 0 : 1;
}

function ofTask(cell: ServiceCell): Expected {
  const effect = effectOf(cell);
  const tokens = tokensOf(cell);
  switch (effect.kind) {
    case 'usable':
      return succeeds(cell);
    case 'unreachable':
      return {
        ends: { code: 'network_error', isRetryable: effect.mayPass },
        requests: 0,
        tokens: 0,
        applied: 0,
      };
    case 'redirect':
      return {
        ends: { code: 'unexpected_response', status: effect.status, isRetryable: false },
        requests: 1,
        tokens,
        applied: 0,
      };
    case 'unreadable':
      return unreadable(cell, effect);
    case 'lost':
      return lost(cell, effect, { code: effect.code, isRetryable: effect.mayPass });
    case 'refused':
      return refused(cell, effect);
  }
}

/** The service did its work, but the response does not show it. */
function unreadable(cell: ServiceCell, effect: Extract<Effect, { kind: 'unreadable' }>): Expected {
  // Section 4.7 shows no response body for a revocation, so none is needed.
  if (cell.task.change === 'a revocation' && effect.isEmpty) return succeeds(cell);
  // Whatever its body, the status of the second response says enough.
  if (cell.task.change === 'a coupon' && effect.status === 0) return leadHasCoupon(cell);
  const isCreated = isChange(cell) && cell.task.change !== 'a revocation';
  const failure = unexpected(effect.status || (isCreated ? 201 : 200));
  return lost(cell, { isApplied: true, mayPass: false }, failure);
}

/** The second request is refused, because the lead has a coupon by now. */
function leadHasCoupon(cell: ServiceCell): Expected {
  // Its body is spoilt like that of the first, and without it the status proves nothing.
  const isRetryable = cell.span === 'always';
  const ends = { code: 'outcome_unknown', status: 409, isRetryable };
  return { ends, requests: 2, tokens: tokensOf(cell), applied: 1 };
}

/** The client cannot know whether the service did it. */
function lost(
  cell: ServiceCell,
  { isApplied, mayPass, hasStatus }: Pick<Lost, 'isApplied' | 'mayPass' | 'hasStatus'>,
  failure: Failure,
): Expected {
  const { change } = cell.task;
  const mayResend = change !== 'a link';
  // With nothing to read back, the same request is sent again to find out what happened.
  const isProbedByResending = change === 'a coupon';
  // On Zapier, a try may take as long as a whole run.
  const isOutOfTime = cell.platform === 'zapier' && failure.code === 'timeout';
  const tries = mayPass && mayResend && !isOutOfTime ? policyOf(cell).attempts : 1;
  const applied = isChange(cell) && isApplied ? 1 : 0;
  if (cell.span === 'once' && (tries > 1 || isProbedByResending)) {
    if (!isProbedByResending || !isApplied) return succeeds(cell, 2);
    return leadHasCoupon(cell);
  }
  // What was done is refused the second time, and a refusal needs no body.
  const isRefusedNext = change !== 'nothing' && isApplied && hasStatus;
  if (isRefusedNext && isProbedByResending) return leadHasCoupon(cell);
  const known = {
    requests: isRefusedNext ? Math.min(tries, 2) : isProbedByResending ? Math.max(tries, 2) : tries,
    mayReconnect: tries > 1 && cell.task.route.method === 'GET',
    tokens: tokensOf(cell),
    applied,
  } as const;
  if (change === 'nothing') return { ends: failure, ...known };
  // If the change was made, reading the coupon back shows it.
  if (mayResend && isApplied && !isProbedByResending) return { ends: 'answer', ...known };
  return { ends: { ...failure, code: 'outcome_unknown', isRetryable: mayResend }, ...known };
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
const passing = new Set([408, 502, 503, 504]);

/** These statuses say the same without a problem document. */
const proofless: ReadonlySet<number> = new Set([401, 408, 429]);

function failureOf({ status, hasProblem, wait }: Refused): Failure {
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

/** The token response of the sandbox says that the token has every scope, so none is missing. */
function isForbidden({ credentials, platform }: ServiceCell, { status, hasProblem }: Refused) {
  const isCore = platform !== 'n8n' && platform !== 'zapier';
  return isCore && credentials === 'client credentials' && status === 403 && hasProblem;
}

function refused(cell: ServiceCell, effect: Refused): Expected {
  const { status, isApplied } = effect;
  const failure = {
    ...failureOf(effect),
    ...(isForbidden(cell, effect) && { code: 'unexpected_response' }),
  };
  const tokens = tokensOf(cell);
  if (status === 429) return limited(cell, effect, failure);
  if (status === 401 && cell.credentials === 'client credentials') {
    // Another token is tried once.
    return cell.span === 'once'
      ? succeeds(cell, 2, tokens + 1)
      : { ends: failure, requests: 2, tokens: tokens + 1, applied: 0 };
  }
  if (status >= 500 || status === 408) {
    const isRead = cell.task.change === 'nothing';
    const mayPass = passing.has(status) || (status === 500 && isRead);
    return lost(cell, { isApplied, mayPass }, failure);
  }
  return { ends: failure, requests: 1, tokens, applied: 0 };
}

/** The service did nothing, so the client retries unless the service asks for too long a wait. */
function limited(cell: ServiceCell, { wait }: Refused, failure: Failure): Expected {
  const policy = policyOf(cell);
  const { patience } = policy;
  const tokens = tokensOf(cell);
  const isTooLong = patience === 0 || (wait ?? 0) > patience;
  if (isTooLong) return { ends: failure, requests: 1, tokens, applied: 0 };
  if (cell.span === 'once') return succeeds(cell, 2);
  return { ends: failure, requests: triesUntil(policy, wait), tokens, applied: 0 };
}

/** Short waits are made longer by chance, so that callers do not come back together. */
function triesUntil({ patience, untimed }: Policy, wait = 0): number | Span {
  return wait >= 20 ? Math.floor(patience / wait) + 1 : untimed;
}

/** Without a token nothing is sent, so nothing is ever unknown. */
function ofToken(cell: ServiceCell): Expected {
  const effect = effectOf(cell);
  const { attempts, failure } = tokenFailure(cell, effect);
  if (!failure) return succeeds(cell, 1, 1);
  if (cell.span === 'once' && attempts !== 1) return succeeds(cell, 1, 2);
  return { ends: failure, requests: 0, tokens: attempts, applied: 0 };
}

interface TokenFailure {
  readonly attempts: number | Span;
  readonly failure?: Failure;
}

function tokenFailure(cell: ServiceCell, effect: Effect): TokenFailure {
  const { tokenAttempts } = policyOf(cell);
  switch (effect.kind) {
    case 'usable':
    case 'unreachable':
      return { attempts: 1 };
    case 'lost': {
      const failure = { code: effect.code, isRetryable: effect.mayPass };
      return { attempts: effect.mayPass ? tokenAttempts.passing : 1, failure };
    }
    case 'unreadable':
      return { attempts: 1, failure: unexpected(effect.status || 200) };
    case 'redirect':
      return { attempts: 1, failure: unexpected(effect.status) };
    case 'refused':
      return refusedToken(cell, effect);
  }
}

const unexpected = (status: number): Failure => ({
  code: 'unexpected_response',
  status,
  isRetryable: false,
});

/** The contract does not say which of these means wrong credentials, so all of them do. */
const wrongCredentials = new Set([400, 401, 403]);

function refusedToken(cell: ServiceCell, effect: Refused): TokenFailure {
  const policy = policyOf(cell);
  const { patience, tokenAttempts } = policy;
  const { status, wait } = effect;
  const failure = failureOf(effect);
  if (wrongCredentials.has(status) && effect.hasProblem) {
    return { attempts: 1, failure: { ...failure, code: 'authentication_failed' } };
  }
  if (status === 429) {
    const isTooLong = patience === 0 || (wait ?? 0) > patience;
    const tries = tokenAttempts.limited ?? triesUntil(policy, wait);
    return { attempts: isTooLong ? 1 : tries, failure };
  }
  if (passing.has(status)) return { attempts: tokenAttempts.passing, failure };
  return { attempts: status >= 500 ? tokenAttempts.internal : 1, failure };
}
