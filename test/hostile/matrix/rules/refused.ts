import type { Refused } from '../fault.ts';
import type { ServiceCell } from '../service-cell.ts';
import { type Expected, succeeds, tokensOf } from './expected.ts';
import { type Failure, failureOf, passing } from './failures.ts';
import { lost } from './lost.ts';
import { attemptsUntil, policyOf } from './policies.ts';

/** The token response of the sandbox says that the token has every scope, so none is missing. */
function isForbidden({ credentials, platform }: ServiceCell, { status, hasProblem }: Refused) {
  const isCore = platform !== 'n8n' && platform !== 'zapier';
  return isCore && credentials === 'client credentials' && status === 403 && hasProblem;
}

export function refused(cell: ServiceCell, effect: Refused): Expected {
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
  return { ends: failure, requests: attemptsUntil(policy, wait), tokens, applied: 0 };
}
