import { type Effect, effectOf, type Refused } from '../fault.ts';
import type { ServiceCell } from '../service-cell.ts';
import { type Expected, succeeds } from './expected.ts';
import { type Failure, failureOf, passing, unexpected } from './failures.ts';
import { attemptsUntil, policyOf, type Span } from './policies.ts';

/** Without a token nothing is sent, so nothing is ever unknown. */
export function ofToken(cell: ServiceCell): Expected {
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
    const tries = tokenAttempts.limited ?? attemptsUntil(policy, wait);
    return { attempts: isTooLong ? 1 : tries, failure };
  }
  if (passing.has(status)) return { attempts: tokenAttempts.passing, failure };
  return { attempts: status >= 500 ? tokenAttempts.internal : 1, failure };
}
