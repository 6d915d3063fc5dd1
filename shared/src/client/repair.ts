import type { Endpoint, FailedCall, RecoveryPolicy } from '../catalogue/operation.ts';
import { outcomeUnknown } from '../errors/outcome-unknown-error.ts';

export function policyOf({ recovery }: Endpoint): RecoveryPolicy | undefined {
  return typeof recovery === 'object' ? recovery : undefined;
}

/**
 * Settles a call that failed for good: returns a record when the operation's policy finds that the
 * request was applied. `isLost` says that a response was lost on the way, so the request may have
 * been applied.
 */
export function settle(ended: FailedCall, isLost: boolean): Promise<unknown> {
  const { operation, error } = ended;
  const policy = policyOf(operation);
  const settling = isLost ? policy?.resolveLost : policy?.resolveConflict;
  if (settling) return settling(ended);
  throw isLost ? outcomeUnknown(operation.title, error, mayBeDone, false) : error;
}

const mayBeDone = 'got no clear response, so it may have gone through. Retrying may do it twice';
