import { effectOf } from '../fault.ts';
import type { ServiceCell } from '../service-cell.ts';
import { type Expected, succeeds, tokensOf } from './expected.ts';
import { lost, unreadable } from './lost.ts';
import { refused } from './refused.ts';
import { ofToken } from './token.ts';

/** The rule that every cell of the matrix must follow. */
export function expected(cell: ServiceCell): Expected {
  return cell.target === 'token' ? ofToken(cell) : ofTask(cell);
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
