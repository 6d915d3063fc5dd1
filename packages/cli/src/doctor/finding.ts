/** What was seen about one assumption. */
export interface Finding {
  /** `accepted`: another variant, with which everything works. */
  readonly state: 'as_assumed' | 'accepted' | 'differs' | 'not_seen';
  /** A short text without a person's data. */
  readonly found: string;
  /** What does not work, and what to do. */
  readonly action?: string;
}

/** As assumed, another variant that works, or a difference that needs the action. */
export function judge(
  found: string,
  isAssumed: boolean,
  isAccepted: boolean,
  action: string,
): Finding {
  if (isAssumed || isAccepted) return { state: isAssumed ? 'as_assumed' : 'accepted', found };
  return { state: 'differs', found, action };
}

/** A difference that breaks nothing. */
export const harmless = (found: string, isAssumed: boolean) => judge(found, isAssumed, true, '');
export const differs = (found: string, action: string) => judge(found, false, false, action);
export const notSeen = (found: string): Finding => ({ state: 'not_seen', found });

/** Ends a check early with its finding. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.found);
    this.finding = finding;
  }
}
