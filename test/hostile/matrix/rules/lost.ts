import type { Effect } from '../fault.ts';
import type { ServiceCell } from '../service-cell.ts';
import { type Expected, succeeds, tokensOf } from './expected.ts';
import { type Failure, unexpected } from './failures.ts';
import { isChange, policyOf } from './policies.ts';

type Lost = Extract<Effect, { kind: 'lost' }>;

/** The service did its work, but the response does not show it. */
export function unreadable(
  cell: ServiceCell,
  effect: Extract<Effect, { kind: 'unreadable' }>,
): Expected {
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
export function lost(
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
