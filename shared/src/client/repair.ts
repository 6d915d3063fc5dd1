import type { EndedCall, Endpoint, RepairPolicy } from '../catalogue/operation.ts';
import { outcomeUnknown } from '../errors/outcome-unknown-error.ts';

export function policyOf({ repair }: Endpoint): RepairPolicy | undefined {
  return typeof repair === 'object' ? repair : undefined;
}

/**
 * Settles a call that failed for good: returns a record when the operation's policy finds that the
 * request was applied. `isLost` says that a response was lost on the way, so the request may have
 * been applied.
 */
export function settle(ended: EndedCall, isLost: boolean): Promise<unknown> {
  const { operation, error } = ended;
  const policy = policyOf(operation);
  const settling = isLost ? policy?.settle : policy?.settleRefusal;
  if (settling) return settling(ended);
  throw isLost ? outcomeUnknown(operation.title, error, mayBeDone, false) : error;
}

const mayBeDone = 'got no clear response, so it may have gone through. Retrying may do it twice';
