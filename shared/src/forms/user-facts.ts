/**
 * What people ask of a user who was looked up. The service sends `exists` only for an unknown user,
 * and an attribution only for one that this access referred; what is in it, the specification does
 * not show (section 2.5).
 */
export function userLookupFacts(record: object): { exists: boolean; referred_by_you: boolean } {
  const { exists, attribution, ...others } = record as Readonly<Record<string, unknown>>;
  const isReferred = attribution !== undefined && attribution !== null;
  const isKnown = isReferred || Object.values(others).some((value) => value !== null);
  const said = String(exists ?? isKnown).toLowerCase();
  return {
    exists: said === 'true' || (said !== 'false' && isKnown),
    referred_by_you: isReferred,
  };
}
