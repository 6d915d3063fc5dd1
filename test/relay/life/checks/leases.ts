import { byHand } from '../audit.ts';
import type { Findings } from './findings.ts';

/** A process takes what another one has only once that one's time is over. */
export function leasesFound({ audit }: Findings) {
  const taken = audit.leases.filter(
    ({ before, after, process }) =>
      process !== byHand && before?.owner && after?.owner && before.owner !== after.owner,
  );
  const violations = taken.flatMap(({ before, at }) =>
    Date.parse(before?.leased_until ?? '') <= at
      ? []
      : [`the lease of row ${before?.subscription_number} was taken while another process had it`],
  );
  return { takenOver: taken.length, violations };
}
