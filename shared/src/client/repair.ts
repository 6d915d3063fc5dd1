import type { EndedCall, Endpoint, RepairPolicy } from '../catalogue/operation.ts';
import { outcomeUnknown } from '../errors/outcome-unknown-error.ts';

export function policyOf({ repair }: Endpoint): RepairPolicy | undefined {
  return typeof repair === 'object' ? repair : undefined;
}

/**
 * What a call gives that failed for good: a record when its policy finds that the request was
 * applied. `isLost` says that the answer of one of its tries was lost, so it may have been.
 */
export function settle(ended: EndedCall, isLost: boolean): Promise<unknown> {
  const { operation, error } = ended;
  const policy = policyOf(operation);
  const settling = isLost ? policy?.settle : policy?.settleRefusal;
  if (settling) return settling(ended);
  throw isLost ? outcomeUnknown(operation.title, error, mayBeDone, false) : error;
}

const mayBeDone = 'got no clear response, so it may have gone through. Retrying may do it twice';
